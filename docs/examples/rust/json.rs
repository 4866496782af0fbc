//! Values of JSON. A number is read as its text.
use std::collections::BTreeMap;

#[derive(Clone, Debug)]
pub enum Json {
    Null,
    Flag(bool),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    pub fn parse(text: &str) -> Json {
        Reader { letters: text.chars().collect(), at: 0 }.value()
    }

    pub fn get(&self, name: &str) -> &Json {
        match self {
            Json::Object(members) => members.get(name).unwrap_or(&Json::Null),
            _ => &Json::Null,
        }
    }

    pub fn list(&self) -> &[Json] {
        if let Json::List(items) = self { items } else { &[] }
    }

    pub fn text(&self) -> &str {
        if let Json::Text(text) = self { text } else { "" }
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Json::Null)
    }
}

/// A text in quotes.
pub fn quoted(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|one| match one {
            '"' | '\\' => format!("\\{one}"),
            one if (one as u32) < 32 => format!("\\u{:04x}", one as u32),
            one => one.to_string(),
        })
        .collect();
    format!("\"{escaped}\"")
}

struct Reader {
    letters: Vec<char>,
    at: usize,
}

impl Reader {
    fn next(&mut self) -> char {
        while self.letters[self.at].is_whitespace() {
            self.at += 1;
        }
        self.letters[self.at]
    }

    fn value(&mut self) -> Json {
        match self.next() {
            '{' => {
                let mut members = BTreeMap::new();
                self.items('}', |reader| {
                    reader.next();
                    let name = reader.quotes();
                    reader.next();
                    reader.at += 1; // the colon
                    members.insert(name, reader.value());
                });
                Json::Object(members)
            }
            '[' => {
                let mut items = Vec::new();
                self.items(']', |reader| items.push(reader.value()));
                Json::List(items)
            }
            '"' => Json::Text(self.quotes()),
            _ => {
                let start = self.at;
                while self.at < self.letters.len() && !",]} \n\r\t".contains(self.letters[self.at]) {
                    self.at += 1;
                }
                let word: String = self.letters[start..self.at].iter().collect();
                match word.as_str() {
                    "null" => Json::Null,
                    "true" | "false" => Json::Flag(word == "true"),
                    _ => Json::Text(word),
                }
            }
        }
    }

    fn items(&mut self, end: char, mut read: impl FnMut(&mut Self)) {
        self.at += 1;
        while self.next() != end {
            read(self);
            if self.next() == ',' {
                self.at += 1;
            }
        }
        self.at += 1;
    }

    fn quotes(&mut self) -> String {
        let mut units: Vec<u16> = Vec::new();
        self.at += 1;
        while self.letters[self.at] != '"' {
            let mut one = self.letters[self.at];
            if one == '\\' {
                self.at += 1;
                one = match self.letters[self.at] {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    other => other,
                };
                if one == 'u' {
                    let digits: String = self.letters[self.at + 1..self.at + 5].iter().collect();
                    units.push(u16::from_str_radix(&digits, 16).expect("four digits"));
                    self.at += 5;
                    continue;
                }
            }
            units.extend_from_slice(one.encode_utf16(&mut [0; 2]));
            self.at += 1;
        }
        self.at += 1;
        String::from_utf16(&units).expect("a text")
    }
}

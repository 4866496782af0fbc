"""The XML of PMML: what is kept, what is passed over, and what is refused."""

from __future__ import annotations

import pytest

from reference_tree.data.errors import InputError
from reference_tree.programs.inventory import Ignored
from reference_tree.programs.pmml import members as pmml_xml
from reference_tree.programs.pmml.members import parsed


def test_what_has_no_effect_is_passed_over_with_all_that_it_holds() -> None:
    root = parsed('<PMML version="4.4"><Extension><Strange/><Node/></Extension><Header/></PMML>', Ignored())
    assert [one.name for one in root.inner] == ["Header"]


def test_namespaces_are_those_of_pmml() -> None:
    space = 'xmlns:p="http://www.dmg.org/PMML-4_3" xmlns:other="http://example.org/"'
    assert parsed(f'<p:PMML {space} version="4.3"><p:Header/></p:PMML>', Ignored()).inner[0].name == "Header"
    with pytest.raises(InputError, match="example"):
        parsed(f'<p:PMML {space} version="4.3"><other:Header/></p:PMML>', Ignored())
    with pytest.raises(InputError, match="its outermost element is XML"):
        parsed("<XML/>", Ignored())


def test_a_document_type_is_refused() -> None:
    with pytest.raises(InputError, match="declares a document type"):
        parsed('<!DOCTYPE PMML [<!ENTITY a "b">]><PMML/>', Ignored())


def test_elements_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pmml_xml, "MOST_ELEMENTS", 2)
    with pytest.raises(InputError, match="line 1: there are more than"):
        parsed("<PMML><Header/><DataDictionary/></PMML>", Ignored())

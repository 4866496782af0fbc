"""Conformance: test vectors for other implementations, written by the program that is read.

`SUITE` is the version of the suite, and stands here alone. MAJOR is that of the format; MINOR grows with new cases, and
PATCH where a wrong expectation was corrected, with its erratum. An id is never used again for another case.
"""

SUITE = "2.0.0"

"""The hostile requests, grouped by the kind of attack."""
from .case import HIDDEN, OPEN, Case
from .chunks import CHUNKS
from .fields import CONNECTION, EXPECT, FIELDS, HOSTS
from .lengths import CODINGS, LENGTHS
from .lines import METHODS, TARGETS, VERSIONS
from .sizes import PIPELINES, SIZES

ALL = [
    *LENGTHS, *CODINGS, *CHUNKS, *FIELDS, *HOSTS, *CONNECTION, *EXPECT, *TARGETS, *METHODS, *VERSIONS, *SIZES,
    *PIPELINES,
]

"""The schema, step by step; each step commits together with its number."""

from __future__ import annotations

from collections.abc import Sequence

APPLICATION_ID = 0x45585031  # "EXP1": tells our files from any other database

_FIRST = """
CREATE TABLE meta (
  key TEXT PRIMARY KEY, value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE experiences (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  version_seq INTEGER NOT NULL REFERENCES versions(seq),
  digest TEXT NOT NULL,
  kind TEXT NOT NULL,
  name TEXT NOT NULL,
  category TEXT NOT NULL,
  family TEXT NOT NULL,
  parent_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX experiences_name ON experiences(name);
CREATE INDEX experiences_parent ON experiences(parent_id) WHERE parent_id <> '';

CREATE TABLE versions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  experience_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  content TEXT NOT NULL,
  note TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX versions_experience ON versions(experience_id);

CREATE TABLE renders (
  seq INTEGER PRIMARY KEY REFERENCES experiences(seq) ON DELETE CASCADE,
  card TEXT NOT NULL,
  skill_name TEXT NOT NULL,
  skill TEXT NOT NULL
);

CREATE TABLE edges (
  source TEXT NOT NULL,
  relation TEXT NOT NULL,
  target TEXT NOT NULL,
  PRIMARY KEY (source, relation, target)
) WITHOUT ROWID;
CREATE INDEX edges_target ON edges(target);

CREATE TABLE installations (
  id TEXT PRIMARY KEY, mine INTEGER NOT NULL, first_seen TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE standing (
  installation TEXT NOT NULL REFERENCES installations(id),
  experience_id TEXT NOT NULL,
  data TEXT NOT NULL,
  PRIMARY KEY (experience_id, installation)
) WITHOUT ROWID;

CREATE TABLE categories (
  name TEXT PRIMARY KEY, data TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE episodes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL,
  validated INTEGER NOT NULL,
  data TEXT NOT NULL
);

CREATE TABLE tombstones (
  id TEXT PRIMARY KEY, data TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE outbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  topic TEXT NOT NULL,
  subject TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  last_error TEXT NOT NULL DEFAULT '',
  created_at TEXT NOT NULL,
  UNIQUE (topic, subject)
);

CREATE TABLE cards (
  experience_id TEXT PRIMARY KEY,
  path TEXT NOT NULL,
  path_key TEXT NOT NULL UNIQUE,
  digest TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  stat TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE imports (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  source TEXT NOT NULL,
  pack TEXT NOT NULL,
  pack_version TEXT NOT NULL,
  content_digest TEXT NOT NULL,
  mode TEXT NOT NULL,
  created_at TEXT NOT NULL,
  undone_at TEXT NOT NULL DEFAULT ''
);
CREATE TABLE import_items (
  import_seq INTEGER NOT NULL REFERENCES imports(seq),
  experience_id TEXT NOT NULL,
  source_id TEXT NOT NULL,
  action TEXT NOT NULL,
  before_version INTEGER,
  digest TEXT NOT NULL,
  PRIMARY KEY (import_seq, experience_id)
) WITHOUT ROWID;
CREATE INDEX import_items_experience ON import_items(experience_id);
"""

_SEARCH = """
CREATE TABLE search_documents (
  seq INTEGER PRIMARY KEY REFERENCES experiences(seq) ON DELETE CASCADE,
  scope INTEGER NOT NULL,
  kind TEXT NOT NULL,
  terms TEXT NOT NULL,
  phrases TEXT NOT NULL,
  tags TEXT NOT NULL,
  event TEXT NOT NULL,
  conditions TEXT NOT NULL
);

CREATE TABLE search_scopes (
  scope INTEGER PRIMARY KEY,
  documents INTEGER NOT NULL,
  terms INTEGER NOT NULL,
  pivot REAL NOT NULL
);
INSERT INTO search_scopes VALUES (0, 0, 0, 0), (1, 0, 0, 0), (2, 0, 0, 0);

CREATE TABLE search_pending (
  scope INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  old_terms TEXT NOT NULL,
  PRIMARY KEY (scope, seq)
) WITHOUT ROWID;

CREATE TABLE search_postings (
  scope INTEGER NOT NULL,
  term TEXT NOT NULL,
  block INTEGER NOT NULL,
  size INTEGER NOT NULL,
  top INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (scope, term, block)
) WITHOUT ROWID;
"""

_DECISIONS = """
CREATE TABLE decisions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  decision TEXT NOT NULL,
  created_at TEXT NOT NULL,
  rating INTEGER,
  worked INTEGER,
  output_hash TEXT NOT NULL DEFAULT '',
  data TEXT NOT NULL
);
CREATE INDEX decisions_output ON decisions(output_hash) WHERE output_hash <> '';

CREATE TABLE decision_counts (
  experience_id TEXT NOT NULL,
  decision TEXT NOT NULL,
  times INTEGER NOT NULL,
  PRIMARY KEY (experience_id, decision)
) WITHOUT ROWID;

CREATE TABLE goals (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL,
  data TEXT NOT NULL
);

CREATE TABLE goal_reminders (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  task TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX goal_reminders_task ON goal_reminders(task);
"""

_PROPOSALS = """
CREATE TABLE proposals (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  experience_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  status TEXT NOT NULL,
  data TEXT NOT NULL
);
CREATE INDEX proposals_status ON proposals(status);
"""

_PACKS = """
CREATE TABLE descents (
  version_seq INTEGER PRIMARY KEY REFERENCES versions(seq) ON DELETE CASCADE,
  same_as INTEGER,
  adopted TEXT NOT NULL
);

CREATE TABLE packs (
  name TEXT PRIMARY KEY, data TEXT NOT NULL
) WITHOUT ROWID;

ALTER TABLE import_items ADD COLUMN brought TEXT NOT NULL DEFAULT '';
ALTER TABLE imports ADD COLUMN change TEXT NOT NULL DEFAULT '';
"""

_LISTINGS = """
ALTER TABLE renders ADD COLUMN listing TEXT NOT NULL DEFAULT '';
"""

_MEANINGS = """
CREATE TABLE utterances (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  experience_id TEXT NOT NULL,
  text TEXT NOT NULL,
  means INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (experience_id, text)
);

CREATE TABLE meanings (
  experience_seq INTEGER PRIMARY KEY REFERENCES experiences(seq) ON DELETE CASCADE,
  model TEXT NOT NULL,
  stamp TEXT NOT NULL,
  data BLOB NOT NULL
);

CREATE TABLE outcomes (
  decision_id TEXT PRIMARY KEY,
  decision_seq INTEGER NOT NULL UNIQUE,
  ran INTEGER NOT NULL,
  wrong INTEGER NOT NULL
) WITHOUT ROWID;
"""

_SESSIONS = """
CREATE TABLE served (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  print INTEGER NOT NULL UNIQUE,
  at INTEGER NOT NULL
);

CREATE TABLE session_files (
  host TEXT NOT NULL,
  path TEXT NOT NULL,
  inode INTEGER NOT NULL,
  start INTEGER NOT NULL,
  line INTEGER NOT NULL,
  size INTEGER NOT NULL,
  tail TEXT NOT NULL,
  session TEXT NOT NULL,
  place TEXT NOT NULL,
  PRIMARY KEY (host, path)
) WITHOUT ROWID;

ALTER TABLE episodes ADD COLUMN session TEXT NOT NULL DEFAULT '';
CREATE INDEX episodes_session ON episodes(session) WHERE session <> '';
"""

_ESTIMATES = """
CREATE TABLE estimates (
  decision_seq INTEGER PRIMARY KEY REFERENCES decisions(seq) ON DELETE CASCADE,
  experience_id TEXT NOT NULL,
  probability REAL NOT NULL,
  ran INTEGER NOT NULL,
  features BLOB NOT NULL,
  correct INTEGER,
  share REAL NOT NULL DEFAULT 1
);
CREATE INDEX estimates_correct ON estimates(decision_seq) WHERE correct IS NOT NULL;

CREATE TABLE fits (
  basis TEXT PRIMARY KEY,
  labels INTEGER NOT NULL,
  size INTEGER NOT NULL,
  rehearsed TEXT NOT NULL,
  data TEXT NOT NULL
) WITHOUT ROWID;
"""

_REFLECTIONS = """
CREATE TABLE reflections (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL,
  created_at TEXT NOT NULL,
  data TEXT NOT NULL
);
CREATE INDEX reflections_status ON reflections(status);

CREATE TABLE sightings (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  experience_id TEXT NOT NULL,
  source TEXT NOT NULL,
  quote TEXT NOT NULL,
  hits INTEGER NOT NULL,
  first_seen TEXT NOT NULL,
  last_seen TEXT NOT NULL,
  UNIQUE (experience_id, source)
);

CREATE TABLE deliveries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  decision_id TEXT NOT NULL,
  session TEXT NOT NULL,
  experience_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX deliveries_session ON deliveries(session);
CREATE INDEX deliveries_experience ON deliveries(experience_id);

CREATE TABLE observations (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  host TEXT NOT NULL,
  session TEXT NOT NULL,
  request TEXT NOT NULL,
  reply TEXT NOT NULL,
  size INTEGER NOT NULL,
  created_at TEXT NOT NULL
);

CREATE TABLE analyses (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  watermark INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  data TEXT NOT NULL
);
"""

MIGRATIONS: Sequence[tuple[int, str]] = (
    (100, _FIRST),
    (101, _SEARCH),
    (102, _DECISIONS),
    (103, _PROPOSALS),
    (104, _PACKS),
    (105, _LISTINGS),
    (106, _MEANINGS),
    (107, _SESSIONS),
    (108, _ESTIMATES),
    (109, _REFLECTIONS),
)
"""Each step: the `user_version` it leads to (major × 100 + minor) and its SQL."""

SCHEMA_VERSION = MIGRATIONS[-1][0]


def version_name(user_version: int) -> str:
    """Write a schema number as people read it: 100 is `1.0`."""
    if user_version < 0:
        return str(user_version)
    return f"{user_version // 100}.{user_version % 100}"


def statements(script: str) -> list[str]:
    """Split a script; no statement of ours has a semicolon inside."""
    return [part.strip() for part in script.split(";") if part.strip()]

"""The model: frozen records and pure functions, nothing that reads or writes.

A name's module is loaded when the name is first asked for: dataclasses take
longer to load than a hook takes to answer.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from experience_pack.model.backup import Backup as Backup
    from experience_pack.model.backup import BackupMember as BackupMember
    from experience_pack.model.backup import BackupTable as BackupTable
    from experience_pack.model.bulk import without_collector as without_collector
    from experience_pack.model.experience import KINDS as KINDS
    from experience_pack.model.experience import Branch as Branch
    from experience_pack.model.experience import Evidence as Evidence
    from experience_pack.model.experience import Execution as Execution
    from experience_pack.model.experience import Experience as Experience
    from experience_pack.model.experience import Interface as Interface
    from experience_pack.model.experience import Link as Link
    from experience_pack.model.experience import Logic as Logic
    from experience_pack.model.experience import Match as Match
    from experience_pack.model.experience import Origin as Origin
    from experience_pack.model.experience import Requests as Requests
    from experience_pack.model.experience import Rule as Rule
    from experience_pack.model.experience import Step as Step
    from experience_pack.model.experience import Trigger as Trigger
    from experience_pack.model.experience import WorkflowStep as WorkflowStep
    from experience_pack.model.ids import derived_id as derived_id
    from experience_pack.model.ids import new_id as new_id
    from experience_pack.model.ids import short_id as short_id
    from experience_pack.model.lock import Lock as Lock
    from experience_pack.model.lock import LockedPack as LockedPack
    from experience_pack.model.lock import PackChange as PackChange
    from experience_pack.model.lock import StandingRow as StandingRow
    from experience_pack.model.pack import Certificate as Certificate
    from experience_pack.model.pack import Manifest as Manifest
    from experience_pack.model.pack import Membership as Membership
    from experience_pack.model.pack import Omission as Omission
    from experience_pack.model.pack import PackFile as PackFile
    from experience_pack.model.pack import PackInfo as PackInfo
    from experience_pack.model.record import Record as Record
    from experience_pack.model.record import WrongTypeError as WrongTypeError
    from experience_pack.model.record import read_record as read_record
    from experience_pack.model.record import slots_of as slots_of
    from experience_pack.model.records import DOCUMENT as DOCUMENT
    from experience_pack.model.records import Category as Category
    from experience_pack.model.records import Decision as Decision
    from experience_pack.model.records import Episode as Episode
    from experience_pack.model.records import Goal as Goal
    from experience_pack.model.records import Proposal as Proposal
    from experience_pack.model.records import Tombstone as Tombstone
    from experience_pack.model.records import Version as Version
    from experience_pack.model.standing import WITHDRAWN as WITHDRAWN
    from experience_pack.model.standing import Authorisation as Authorisation
    from experience_pack.model.standing import DecisionCounts as DecisionCounts
    from experience_pack.model.standing import Standing as Standing
    from experience_pack.model.standing import Streak as Streak
    from experience_pack.model.standing import Tested as Tested
    from experience_pack.model.standing import Withdrawal as Withdrawal
    from experience_pack.model.standing import price_of as price_of
    from experience_pack.model.values import Json as Json

_HOMES = {
    "backup": "Backup BackupMember BackupTable",
    "bulk": "without_collector",
    "experience": (
        "KINDS Branch Evidence Execution Experience Interface Link Logic Match "
        "Origin Requests Rule Step Trigger WorkflowStep"
    ),
    "ids": "derived_id new_id short_id",
    "lock": "Lock LockedPack PackChange StandingRow",
    "pack": "Certificate Manifest Membership Omission PackFile PackInfo",
    "record": "Record WrongTypeError read_record slots_of",
    "records": ("DOCUMENT Category Decision Episode Goal Proposal Tombstone Version"),
    "standing": (
        "Authorisation DecisionCounts Standing Streak Tested WITHDRAWN Withdrawal "
        "price_of"
    ),
    "values": "Json",
}
"""Each module and the names that it gives to the package."""

_MODULES = {name: home for home, names in _HOMES.items() for name in names.split()}


def __getattr__(name: str) -> object:
    """Load the module of a public name when it is first asked for."""
    home = _MODULES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = found
    return found

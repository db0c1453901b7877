"""The hook by which ranks agree: what it gives, and what is said of a rank that does not answer."""

import datetime
import os
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from ranks import MemoryStore, run_ranks
from tegula import distributed
from tegula.distributed import GroupAgreement, RanksError, StoreAgreement, pack, unpack


def test_all_get_the_offers_of_all():
    def work(agreement):
        first = agreement.agree("key", bytes([agreement.rank]) * agreement.rank)
        return first, agreement.agree("key", b"again")

    results = run_ranks(4, work)
    assert results == [(pack([b"", b"\1", b"\2\2", b"\3\3\3"]), pack([b"again"] * 4))] * 4


def test_keys_may_come_in_any_order():
    def work(agreement):
        keys = ["a", "b"] if agreement.rank == 0 else ["b", "a"]
        answers = {}
        threads = [threading.Thread(target=lambda key=key: answers.update({key: agreement.agree(key, key.encode())})) for key in keys]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return answers

    assert run_ranks(2, work) == [{"a": pack([b"a"] * 2), "b": pack([b"b"] * 2)}] * 2


def test_a_rank_that_does_not_answer_is_named():
    begin = time.monotonic()
    results = run_ranks(3, lambda agreement: agreement.agree("key", b""), timeout=0.3, missing=[1])
    for rank in (0, 2):
        assert isinstance(results[rank], RanksError)
        assert str(results[rank]) == ("rank 1 did not offer `key` within 0.3 s\n"
                                      "rank 1 has asked for nothing so far: it has ended, or tunes nothing")
    assert time.monotonic() - begin < 10


def test_ranks_that_ask_for_something_else_are_named_with_it():
    results = run_ranks(3, lambda agreement: agreement.agree("mine" if agreement.rank else "yours", b""), timeout=0.3)
    assert str(results[0]) == ("ranks 1, 2 did not offer `yours` within 0.3 s\n"
                               "rank 1 asked for `mine` last\nrank 2 asked for `mine` last")
    assert str(results[1]).startswith("rank 0 did not offer `mine`") and "rank 0 asked for `yours` last" in str(results[1])


def test_a_store_that_fails_is_told():
    class Broken(MemoryStore):
        def set(self, key, value):
            raise ConnectionError("connection was reset")

    with pytest.raises(RanksError, match="rank 1 cannot offer `key`: connection was reset"):
        StoreAgreement(Broken(), 1, 2).agree("key", b"")


def test_a_rank_is_one_of_the_world():
    with pytest.raises(ValueError, match="expected a rank from 0 to 1, found 2"):
        StoreAgreement(MemoryStore(), 2, 2)


@pytest.mark.parametrize("answer", [b"", b"\0", pack([b"a"]), pack([b"a"] * 3), pack([b"a", b"bc"])[:-1]])
def test_what_is_no_answer_is_refused(answer):
    with pytest.raises(RanksError, match="expected an answer of 2 offers, found"):
        unpack(answer, 2)


class FakeDistributed:
    """What an adapter needs of torch.distributed, for a rank that is a thread."""

    def __init__(self, rank, store, world, backend="gloo", gathers=True):
        self.rank, self.store, self.world, self.backend, self.gathers = rank, store, world, backend, gathers
        self.turn = 0

    def get_backend(self, group):
        return self.backend

    def get_rank(self, group):
        return self.rank

    def get_world_size(self, group):
        return self.world

    def monitored_barrier(self, group, timeout, wait_all_ranks):
        self.turn += 1
        self.store.set(f"barrier {self.turn} {self.rank}", b"")
        for peer in range(self.world):
            try:
                self.store.wait([f"barrier {self.turn} {peer}"], timeout)
            except RuntimeError:
                raise RuntimeError(f"Ranks {peer} failed to pass monitoredBarrier") from None

    def all_gather_object(self, gathered, mine, group):
        self.store.set(f"offer {self.turn} {self.rank}", repr(mine))
        for peer in range(self.world if self.gathers else 0):
            self.store.wait([f"offer {self.turn} {peer}"], datetime.timedelta(seconds=20))
            gathered[peer] = eval(self.store.get(f"offer {self.turn} {peer}"))
        if not self.gathers:
            time.sleep(30)


def group_results(world, keys, missing=(), timeout=20.0):
    store = MemoryStore()

    def work(agreement):
        fake = FakeDistributed(agreement.rank, store, world)
        return GroupAgreement("group", timeout, fake).agree(keys[agreement.rank], bytes([agreement.rank]))

    return run_ranks(world, work, timeout=timeout, missing=missing)


def test_a_group_gives_the_offers_of_all():
    assert group_results(3, ["key"] * 3) == [pack([b"\0", b"\1", b"\2"])] * 3


def test_a_group_names_the_rank_that_is_missing():
    results = group_results(2, ["key"] * 2, missing=[1], timeout=0.3)
    assert isinstance(results[0], RanksError)
    assert str(results[0]) == "rank 0 asked for `key`, and the group failed: Ranks 1 failed to pass monitoredBarrier"


def test_a_group_tells_of_other_keys():
    results = group_results(2, ["mine", "yours"])
    assert str(results[0]) == "rank 1 asks for `yours` while rank 0 asks for `mine`"
    assert str(results[1]) == "rank 0 asks for `mine` while rank 1 asks for `yours`"


def test_a_group_without_bounded_waits_is_refused():
    with pytest.raises(ValueError, match="expected a group with the back end gloo, found nccl: .*new_group"):
        GroupAgreement(None, 1.0, FakeDistributed(0, MemoryStore(), 1, backend="nccl"))


def test_a_group_that_stops_halfway_is_left(monkeypatch):
    group = GroupAgreement(None, 0.1, FakeDistributed(0, MemoryStore(), 1, gathers=False))
    begin = time.monotonic()
    with pytest.raises(RanksError, match="rank 0 asked for `key`, and the group did not answer within 0.1 s"):
        group.agree("key", b"")
    assert time.monotonic() - begin < 20


def test_the_agreement_of_the_process():
    agreement = StoreAgreement(MemoryStore(), 0, 1)
    assert distributed.current_agreement() is None
    distributed.set_agreement(agreement)
    try:
        assert distributed.current_agreement() is agreement
    finally:
        distributed.set_agreement(None)


def test_processes_agree_through_a_store_of_torch(tmp_path):
    pytest.importorskip("torch.distributed")
    script = tmp_path / "rank.py"
    script.write_text(textwrap.dedent("""
        import sys
        import torch.distributed as dist
        from tegula.distributed import GroupAgreement, StoreAgreement
        rank, world = int(sys.argv[1]), int(sys.argv[2])
        store = dist.FileStore(sys.argv[3], world)
        dist.init_process_group("gloo", store=store, rank=rank, world_size=world)
        for agreement in (StoreAgreement(store, rank, world, 30), GroupAgreement(timeout=30)):
            print(agreement.agree("key", bytes([65 + rank])).hex())
    """))
    ranks = [subprocess.Popen([sys.executable, str(script), str(rank), "2", str(tmp_path / "store")], stdout=subprocess.PIPE,
                              text=True, env=os.environ) for rank in range(2)]
    assert [rank.communicate(timeout=120)[0].split() for rank in ranks] == [[pack([b"A", b"B"]).hex()] * 2] * 2

"""Chains, partitions and profiles."""

from itertools import combinations, product
from operator import eq, le, lt

from hypothesis import given
from hypothesis import strategies as st

from infoset.objects.combinations import chain, partition, profile

numbers = st.lists(st.integers(-5, 5))


def modulo_three(number):
    return number % 3


@given(numbers)
def test_sorted_items_are_a_chain_and_only_they(items):
    assert chain(le, sorted(items))
    assert chain(le, items) == (items == sorted(items))
    assert chain(lt, items) == (items == sorted(set(items)))


@given(numbers)
def test_a_chain_under_equality_has_one_class(items):
    assert chain(eq, items) == (len(partition(items)) <= 1)


def test_a_chain_looks_only_at_neighbours_and_in_order():
    assert chain(lambda one, two: abs(one - two) == 1, iter((1, 2, 1, 0)))
    assert not chain(lambda low, high: high == low + 1, (3, 2, 1))
    assert chain(lt, ()) is chain(lt, (1,)) is True


@given(numbers)
def test_classes_are_not_empty_and_cover_the_items(items):
    classes = partition(items, by=modulo_three)
    assert all(classes)
    assert sorted(item for same in classes for item in same) == sorted(items)


@given(numbers)
def test_items_are_in_one_class_exactly_if_they_are_equivalent(items):
    classes = partition(items, by=modulo_three)
    for same in classes:
        assert len({item % 3 for item in same}) == 1
    for one, other in combinations(classes, 2):
        assert all(a % 3 != b % 3 for a, b in product(one, other))


@given(numbers)
def test_order_of_appearance(items):
    classes = partition(items, by=modulo_three)
    firsts = [items.index(same[0]) for same in classes]
    assert firsts == sorted(firsts)
    for same in classes:
        assert list(same) == [item for item in items if item % 3 == same[0] % 3]


@given(numbers)
def test_a_profile_is_the_sizes_of_the_classes_largest_first(items):
    for by in (None, modulo_three):
        sizes = profile(items, by)
        assert sum(sizes) == len(items)
        assert chain(lambda large, small: large >= small, sizes)
        assert sorted(sizes) == sorted(len(same) for same in partition(items, by))


@given(st.data())
def test_a_profile_does_not_depend_on_the_order(data):
    items = data.draw(numbers)
    assert profile(items) == profile(data.draw(st.permutations(items)))


def test_full_house():
    assert profile("KKQKQ") == (3, 2)
    assert profile(()) == partition(()) == ()

"""Questions about pairs, and the answers that come back."""

import json

import pytest

import pathprior as pp
from pathprior.beliefs.questions import ANSWERS
from pathprior.errors import BeliefError

NAMES = ["age", "diet", "bone", "sex"]


def written(path, changes):
    """Questions about all pairs, with something added to some of the lines."""
    file = path / "questions.jsonl"
    pp.write_questions(pp.make_questions(NAMES), file)
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    answered = [row | changes(row) for row in rows]
    out = path / "answers.jsonl"
    out.write_text("\n\n".join(json.dumps(row) for row in answered), "utf-8")
    return out


def pair(row):
    return {row["x"], row["y"]}


def letter(row, word):
    return next(key for key, value in row["options"].items() if value == word)


def test_one_question_per_pair():
    asked = pp.make_questions(NAMES)
    assert {frozenset((q.x, q.y)) for q in asked} == {
        frozenset((x, y)) for x in NAMES for y in NAMES if x != y
    }
    assert len(asked) == 6
    assert [q.id for q in asked] == ["q1", "q2", "q3", "q4", "q5", "q6"]
    for question in asked:
        assert sorted(question.options.values()) == sorted(ANSWERS)
        assert list(question.options) == list("ABCDE")
        assert f"1. {question.x}\n2. {question.y}\n" in question.text


def test_order_is_drawn_by_the_seed():
    many = [f"v{k}" for k in range(30)]
    asked = pp.make_questions(many, seed=1)
    assert asked == pp.make_questions(many, seed=1)
    assert asked != pp.make_questions(many, seed=2)
    place = {name: k for k, name in enumerate(many)}
    share = sum(place[q.x] < place[q.y] for q in asked) / len(asked)
    assert 0.4 < share < 0.6
    for word in ANSWERS:
        first = sum(q.options["A"] == word for q in asked) / len(asked)
        assert 0.14 < first < 0.26


def test_descriptions_and_units(tmp_path):
    file = tmp_path / "variables.csv"
    file.write_text('Name, description,unit\nage,"age, at start",years\nsex,,\nbone,mass\n')
    age, sex, bone = variables = pp.read_variables(file)
    assert (age.name, age.description, age.unit) == ("age", "age, at start", "years")
    assert str(age) == "age: age, at start (years)"
    assert str(sex) == "sex"
    assert bone == pp.Variable("bone", "mass")
    (question,) = pp.make_questions(variables, [("age", "bone")])
    assert "age: age, at start (years)" in question.text
    assert "bone: mass" in question.text


def test_answers_become_statements(tmp_path):
    def answer(row):
        if pair(row) == {"age", "bone"}:
            word = "causes" if row["x"] == "age" else "caused-by"
            return {"answer": letter(row, word)}
        if pair(row) == {"age", "sex"}:
            return {"answer": "Not-Associated"}
        if pair(row) == {"diet", "bone"}:
            return {"answer": "unknown"}
        return {"answer": None} if pair(row) == {"age", "diet"} else {}

    stated = pp.read_answers(written(tmp_path, answer), source="doctor")
    found = {frozenset((s.x, s.y)): s for s in stated}
    assert set(found) == {frozenset(("age", "bone")), frozenset(("age", "sex"))}
    causal = found[frozenset(("age", "bone"))]
    assert causal.relation == ("causes" if causal.x == "age" else "caused-by")
    assert {s.source for s in stated} == {"doctor"}
    assert {s.strength for s in stated} == {1.0}
    assert found[frozenset(("age", "sex"))].relation == "not-associated"


def test_agreement_becomes_weight(tmp_path):
    def answer(row):
        if pair(row) != {"age", "bone"}:
            return {}
        forth, back = ("causes", "caused-by") if row["x"] == "age" else ("caused-by", "causes")
        return {"answer": [forth, letter(row, forth).lower(), letter(row, back), "unknown"]}

    file = written(tmp_path, answer)
    turned = {
        "x": "bone",
        "y": "age",
        "options": {"A": "caused-by", "B": "causes"},
        "answer": "A.",
    }
    file.write_text(file.read_text("utf-8") + "\n" + json.dumps(turned), "utf-8")
    turn = {"causes": "caused-by", "caused-by": "causes"}
    weights = {
        s.relation if s.x == "age" else turn[s.relation]: s.strength
        for s in pp.read_answers(file, source="doctor")
    }
    assert weights == {"causes": 0.6, "caused-by": 0.2}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 1: not JSON"),
        ("[1]", "line 1: expected the line of a question"),
        ('{"id": "q1", "answer": "A"}', "'x' is missing"),
        ('{"x": "a", "y": "a", "options": {}}', "two variables"),
        ('{"x": "a", "y": "b", "options": {"A": "maybe"}}', "each letter its word"),
        ('{"x": "a", "y": "b", "options": {"A": ["causes"]}}', "each letter its word"),
        ('{"x": "a", "y": "b", "options": {"A": "causes"}, "answer": "F"}', "'F' is none of A"),
        ('{"x": "a", "y": "b", "options": {"A": "causes"}, "answer": {}}', "{} is none of A"),
        ('{"x": "a", "y": "b", "options": {"A": "causes"}}', "no answer says"),
        ("", "no answer says"),
    ],
)
def test_answers_that_cannot_be_read(tmp_path, line, message):
    file = tmp_path / "answers.jsonl"
    file.write_text(line)
    with pytest.raises(BeliefError, match=message):
        pp.read_answers(file, source="doctor")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title\na\n", "no column 'name'"),
        ("name,descripton\na,b\n", "did you mean 'description'"),
        ("name,unit\na,b,c\n", "row 2: more values than columns"),
        ("name\na\na\n", "'a' is there twice"),
        ("name,unit\n,mm\n", "has no name"),
        ("name\na\n", "there are 1"),
        ('name\n"a\n', "bad quoting"),
        ("", "no column 'name'"),
    ],
)
def test_variables_that_cannot_be_read(tmp_path, text, message):
    file = tmp_path / "variables.csv"
    file.write_text(text)
    with pytest.raises(BeliefError, match=message):
        pp.read_variables(file)


def test_pairs_that_cannot_be_asked_about():
    with pytest.raises(BeliefError, match="no variable 'z'"):
        pp.make_questions(NAMES, [("age", "z")])
    for pairs in ([("age", "age")], [("age", "sex"), ("sex", "age")]):
        with pytest.raises(BeliefError, match="cannot be asked about"):
            pp.make_questions(NAMES, pairs)

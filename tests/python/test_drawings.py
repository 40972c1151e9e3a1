"""How models are drawn, and the page of a run."""

import json
import re

import pytest
import saltus as sl


def drawn_ball():
    m = sl.Model("ball")
    size = m.parameter("size", 0.1)
    ball = m.lagrangian("ball", mass=1.0, q=[1.0], force=[-9.81])
    m.contact("ground", ball, gap="q[0]", law=sl.NewtonImpact(restitution=0.5))
    m.draw("ball", ball, shape="sphere", radius="size", position=[0, 0, ball.q[0] + size], color="#0072b2")
    m.draw("rod", shape="segment", radius=0.01, from_=[0, 0, 0], to=[0, 0, ball.q[0]])
    m.draw("floor", shape="plane", size=[1, 1], position=[0, 0, 0])
    m.draw_contact("ground", ball, point=[0, 0, 0], normal=[0, 0, 1])
    return m


def manifest_of(path):
    text = path.read_text(encoding="utf-8")
    return json.loads(re.search(r'id="saltus-manifest">(.*?)</script>', text, re.DOTALL).group(1))


def test_a_page_shows_what_is_drawn(tmp_path):
    run = sl.simulate(drawn_ball(), t_end=1.0, step=1e-2)
    page = tmp_path / "ball.html"
    run.report(page, plots=[["ball.q[0]", "ball.v[0]"]], phases=[("ball.q[0]", "ball.v[0]")])
    manifest = manifest_of(page)
    assert [body["name"] for body in manifest["scene"]["bodies"]] == ["ball", "rod", "floor"]
    assert manifest["scene"]["bodies"][0]["shape"] == {"type": "sphere", "radius": 0.1}
    assert [contact["name"] for contact in manifest["scene"]["contacts"]] == ["ground"]
    assert [plot["title"] for plot in manifest["plots"]] == ["ball.q[0], ball.v[0]"]
    assert manifest["embedded"] == len(run)
    assert manifest["health"]["seconds"] is not None


def test_drawings_are_part_of_texts_copies_and_files(tmp_path):
    m = drawn_ball()
    file = tmp_path / "ball.toml"
    m.save(file, t_end=1.0, step=1e-2)
    for other in (m.copy(), sl.load_model(file)):
        page = tmp_path / "other.html"
        sl.simulate(other, t_end=0.5, step=1e-2).report(page)
        assert len(manifest_of(page)["scene"]["bodies"]) == 3
    assert repr(m) == "<model 'ball': parameter size; system ball; contact ground>"


def test_a_result_that_is_loaded_has_its_page(tmp_path):
    sl.simulate(drawn_ball(), t_end=0.5, step=1e-2).save(tmp_path / "ball.h5")
    sl.load(tmp_path / "ball.h5").report(tmp_path / "ball.html")
    assert manifest_of(tmp_path / "ball.html")["summary"]["end"] == "reached"


def test_a_model_with_python_functions_is_drawn_too(tmp_path):
    m = sl.Model()
    ball = m.lagrangian("ball", mass=1.0, q=[1.0], force=lambda q, v, t: [-9.81])
    m.draw("ball", ball, shape="sphere", radius=0.1, position=[0, 0, ball.q[0]])
    sl.simulate(m, t_end=0.1, step=1e-2).report(tmp_path / "ball.html")
    assert manifest_of(tmp_path / "ball.html")["scene"]["bodies"][0]["name"] == "ball"


@pytest.mark.parametrize("entries, words", [
    (dict(shape="spere"), "did you mean 'sphere'"),
    (dict(shape="sphere", radius=-1, position=[0, 0, 0]), "it must be positive"),
    (dict(shape="sphere", radius=1), "position: is missing"),
    (dict(shape="sphere", radius=1, position=[0, 0]), "has 2 entries; it must have 3"),
    (dict(shape="sphere", radius=1, position=[0, 0, "q[5]"]), "index 5 out of range"),
])
def test_mistakes_are_told_and_leave_no_trace(entries, words):
    m = drawn_ball()
    text = m.text
    with pytest.raises(ValueError, match=re.escape(words)):
        m.draw("other", **entries)
    assert m.text == text


def test_wrong_arguments():
    m = drawn_ball()
    with pytest.raises(TypeError, match="give a number, a text or an expression"):
        m.draw("other", shape="sphere", radius=1, position=[0, 0, lambda q: q])
    with pytest.raises(ValueError, match="the name is taken"):
        m.draw("ball", shape="sphere", radius=1, position=[0, 0, 0])
    with pytest.raises(ValueError, match="there is no contact 'grund'; did you mean 'ground'"):
        m.draw_contact("grund", point=[0, 0, 0], normal=[0, 0, 1])
    run = sl.simulate(m, t_end=0.1, step=1e-2)
    with pytest.raises(ValueError, match="there is no channel 'bal.q"):
        run.report("nowhere.html", plots=[["bal.q[0]"]])
    with pytest.raises(ValueError, match="cannot be written|no such"):
        run.report("/no/such/folder/page.html")

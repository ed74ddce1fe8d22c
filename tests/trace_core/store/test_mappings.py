from trace_core.store.mappings import recall, remember


def test_a_mapping_is_kept_for_the_next_file_with_the_same_columns(tmp_path):
    remember(tmp_path, ["a", "b"], {"question": "a", "response": None})
    assert recall(tmp_path, ["b", "a"]) == {"question": "a", "response": None}
    assert recall(tmp_path, ["a"]) == {}
    remember(tmp_path, ["b", "a"], {})
    assert (tmp_path / "mappings.json").read_text() == "{}"
    (tmp_path / "mappings.json").write_text("broken")
    assert recall(tmp_path, ["a", "b"]) == {}

"""What every store relies on: a writer that is interrupted does not keep others waiting."""

import pytest
from sqlalchemy import event, text

from trace_core.store import database
from trace_core.store.database import Database


@pytest.fixture
def url(tmp_path):
    return f"sqlite:///{tmp_path / 'store.db'}"


@pytest.mark.parametrize("moment", ["before_cursor_execute", "after_cursor_execute", "rollback"])
def test_ctrl_c_within_a_statement_leaves_no_lock(url, moment, monkeypatch):
    monkeypatch.setattr(database, "BUSY_TIMEOUT", 0.1)
    interrupted = Database(url)
    with interrupted.writing() as connection:
        connection.execute(text("CREATE TABLE numbers (n INTEGER)"))
    once = iter([KeyboardInterrupt])

    def interrupt(*_):
        raise next(once, ValueError)

    with pytest.raises(KeyboardInterrupt) as stopped, interrupted.writing() as connection:  # noqa: PT012
        begun = connection.execute(text("INSERT INTO numbers VALUES (1), (2) RETURNING n"))
        event.listen(connection.engine, moment, interrupt)
        if moment == "rollback":
            raise ValueError
        connection.execute(text("INSERT INTO numbers VALUES (3)"))
    other = Database(url)
    with other.writing() as connection:
        assert connection.execute(text("SELECT n FROM numbers")).all() == []
    assert stopped.value.__traceback__
    assert begun  # the statements of the interrupted writer still exist
    other.close()
    interrupted.close()

-- dump
INSERT INTO chats (question, answer) VALUES ('Is it open?', 'Yes.');

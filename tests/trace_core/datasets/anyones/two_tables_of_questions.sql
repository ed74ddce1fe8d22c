COPY public.chats (id, question, answer) FROM stdin;
1	Is it open?	Yes, it is.
\.
COPY public.old_chats (id, question, reply) FROM stdin;
1	Is it far?	No, it is near.
\.

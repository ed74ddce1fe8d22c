COPY public.chats (id, question, sources, reply) FROM stdin;
1	Is {a} a set?	{"{a} is a set, with one item.",NULL}	Yes, it is.
2	Is it empty?	\N	No.
\.

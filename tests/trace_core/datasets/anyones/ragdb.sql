--
-- PostgreSQL database dump
--

-- Dumped from database version 16.2
-- Dumped by pg_dump version 16.2

SET statement_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;

CREATE TABLE public.rag_requests (
    id bigint NOT NULL,
    created_at timestamp with time zone,
    question text NOT NULL,
    contexts text[],
    answer text,
    gold_answer text,
    thumbs_up boolean
);

CREATE TABLE public.users (
    id bigint NOT NULL,
    name text,
    security_question text
);

--
-- Data for Name: rag_requests; Type: TABLE DATA; Schema: public; Owner: rag
--

COPY public.rag_requests (id, created_at, question, contexts, answer, gold_answer, thumbs_up) FROM stdin;
301	2025-06-09 10:20:00.1+02	What does the sign "P+R" mean?	{"\\"P+R\\" marks car parks at stations, from where you go on by train.","Park and ride is free with a train ticket."}	It marks car parks at stations.\nFrom there you go on by train.	Park and ride: a car park at a station	t
302	2025-06-09 11:20:00.1+02	Can I reserve a P+R space?	{}	I have no information about that.	\N	\N
303	2025-06-09 12:20:00.1+02	How long may I park at Nordheim station?	{"At Nordheim the limit is 48 hours, on weekends 72 hours."}	48 hours; 72 hours on weekends.	48 hours, 72 at weekends	t
\.


--
-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: rag
--

COPY public.users (id, name, security_question) FROM stdin;
1	Ada	What was your first pet?
2	Ben	\N
\.


ALTER TABLE ONLY public.rag_requests
    ADD CONSTRAINT rag_requests_pkey PRIMARY KEY (id);

--
-- PostgreSQL database dump complete
--

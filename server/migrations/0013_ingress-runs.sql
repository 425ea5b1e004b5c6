-- Runs of a stream that is brought in are found by its id alone: its end may come without the time of its start.

create index media_jobs_of_ingress on media_jobs (split_part(key, '@', 1)) where kind = 'ingress';

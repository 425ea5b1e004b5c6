-- What the database does by itself for this folder: functions, triggers, views and policies as they are now. Change them
-- here: `npm run generate` counts server/migrations/schema.json up, and `migrate` applies what differs.

-- By which stems an organization's texts are read.
create or replace function text_language(organization bigint) returns regconfig
language plpgsql stable set search_path = public, pg_temp as $$
begin
  return case (select s.language from organization_settings s where s.organization_id = organization)
    when 'de' then 'german' else 'english' end::regconfig;
end $$;
revoke execute on function text_language(bigint) from public;

-- What a message is found by: its words, their stems, and where it stands, as words that nobody can ask for: none that is
-- read from a text begins with a space.
create or replace function words_of(content text, conversation bigint, organization bigint) returns tsvector
language sql stable as $$
  select to_tsvector('simple', content) || to_tsvector(text_language(organization), content)
    || array_to_tsvector(array[' c' || conversation, ' o' || organization])
$$;
revoke execute on function words_of(text,bigint,bigint) from public;

-- The words follow the text, whichever statement changes it: what is edited or deleted is found by its former text no more.
create or replace function keep_words() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.is_deleted or new.content = '' then
    delete from message_words w where w.message_id = new.message_id;
    return null;
  end if;
  insert into message_words as w (message_id, conversation_id, org_id, content, words)
    values (new.message_id, new.conversation_id, new.org_id, new.content,
      words_of(new.content, new.conversation_id, new.org_id))
    on conflict (message_id) do update set words = excluded.words, content = excluded.content;
  return null;
end $$;
revoke execute on function keep_words() from public;
create or replace trigger messages_keep_words after insert or update of content, is_deleted on messages
  for each row execute function keep_words();

-- What a text asks for: each of its words, as it is written (from three characters on also as a beginning), or by its stem.
-- Null: it has no word.
create or replace function words_wanted(asked text, language regconfig) returns tsquery
language plpgsql immutable set search_path = public, pg_temp as $$
declare
  wanted tsquery;
  word text;
  written tsquery;
  stem tsquery;
begin
  for word in select unnest(tsvector_to_array(to_tsvector('simple', asked))) limit 10 loop
    written := (quote_literal(replace(word, '\', '\\')) || case when char_length(word) > 2 then ':*' else '' end)::tsquery;
    stem := plainto_tsquery(language, word);
    written := case when numnode(stem) = 0 then written else written || stem end;
    wanted := case when wanted is null then written else wanted && written end;
  end loop;
  return wanted;
end $$;
revoke execute on function words_wanted(text,regconfig) from public;

-- Whether a text has letters of a script that puts no space between words: Han, Hiragana, Katakana, Hangul, Thai, Lao, Khmer,
-- Myanmar, by the ranges of their letters.
create or replace function is_unspaced(word text) returns boolean
language sql immutable as $$
  select word ~ ('[\u0e01-\u0edf\u1000-\u109d\u1100-\u11ff\u1780-\u17f9\u3005\u3007-\u3029\u302e\u302f\u3038-\u303b\u3041-\u3096'
    || '\u309d-\u30fa\u30fd-\u30ff\u3131-\u318e\u31f0-\u31ff\u3400-\u9fff\ua960-\ua97c\ua9e0-\ua9fe\uaa60-\uaa7f\uac00-\ufad9'
    || '\uff66-\uff6f\uff71-\uff9d\uffa0-\uffdc\U000116d0-\U000116e3\U00016fe3\U00016ff0-\U00016ff6\U0001aff0-\U0001b167'
    || '\U00020000-\U00033479]')
$$;
revoke execute on function is_unspaced(text) from public;

-- What a text asks for as parts of words: a pattern for each of its words. Null: none of them has the three characters
-- that the index wants, nor is of a script that puts no space between words.
create or replace function parts_wanted(asked text) returns text[]
language sql immutable set search_path = public, pg_temp as $$
  select array_agg('%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%' order by char_length(word) desc)
  from (select unnest(tsvector_to_array(to_tsvector('simple', asked))) as word limit 10) words
  having bool_or(char_length(word) > 2 or is_unspaced(word))
$$;
revoke execute on function parts_wanted(text) from public;

-- A text with what was found in it between two characters that no text has.
create or replace function marked_words(content text, wanted tsquery, language regconfig) returns text
language sql immutable as $$
  select ts_headline(language, content, wanted, format('StartSel=%s, StopSel=%s, HighlightAll=true', chr(1), chr(2)))
$$;
revoke execute on function marked_words(text,tsquery,regconfig) from public;

-- Whether a message is of the sender, the time and the kind that are asked for; null asks for none.
create or replace function is_asked_for(message bigint, sender bigint, earliest timestamptz, before timestamptz,
  with_file boolean) returns boolean
language sql stable as $$
  select (sender is null and earliest is null and before is null or exists (select from messages m
      where m.message_id = message and (sender is null or m.sender_id = sender)
        and (earliest is null or m.created_at >= earliest) and (before is null or m.created_at < before)))
    and (not with_file or exists (select from attachments a where a.message_id = message))
$$;
revoke execute on function is_asked_for(bigint,bigint,timestamp with time zone,timestamp with time zone,boolean) from public;

-- Messages of the conversations of the one who asks: those that have all words, the best of the thousand newest first, then
-- those that have them all as parts of words, the newest first. The operators of text search are not leakproof, so that a
-- policy would keep them from the index: the conversations are asked for here, and a test holds that it finds what row
-- security shows.
create or replace function search_messages(p_query text, p_conversation_id bigint, p_sender_id bigint, p_from timestamptz,
  p_to timestamptz, p_limit integer, p_relevance integer, p_message_id bigint, p_with_file boolean) returns json
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  language regconfig := text_language(chat_org_id());
  wanted tsquery := words_wanted(p_query, language);
  parts text[] := parts_wanted(p_query);
  own bigint[] := array(select one from chat_conversations() one
    where p_conversation_id is null or one = p_conversation_id);
  here tsquery;
  -- a function with a subquery is called for each message that is found, which is half of what a search takes
  by_text_alone boolean := p_sender_id is null and p_from is null and p_to is null and not p_with_file;
begin
  if p_conversation_id is not null and cardinality(own) = 0 then
    raise exception using errcode = 'PT404', message = 'conversation-not-found';
  end if;
  if wanted is null or cardinality(own) = 0 then return '[]'; end if;
  -- each place costs a look for each message that has the word: beyond some, their messages are told apart afterwards
  here := case when cardinality(own) > 16 then quote_literal(' o' || chat_org_id())
    else (select string_agg(quote_literal(' c' || one), '|') from unnest(own) one) end::tsquery;
  -- by the index whatever it costs: what is seldom said is found by no walk from the newest message on
  return (with with_words as materialized (
      select w.message_id, w.words from message_words w
      where w.words @@ (here && wanted) and w.conversation_id = any (own)),
    best as (
      -- above those that have parts of words, however far apart the words stand
      select message_id, greatest(1, (ts_rank(words, wanted) * 1000)::integer) as relevance
      from (select * from with_words f where (by_text_alone or is_asked_for(f.message_id, p_sender_id, p_from, p_to, p_with_file))
        order by message_id desc limit 1000) newest),
    words_page as materialized (
      select * from best
      where p_message_id is null or (relevance, message_id) < (p_relevance, p_message_id)
      order by relevance desc, message_id desc limit p_limit),
    with_parts as materialized (
      -- the index answers for one pattern, the longest
      select w.message_id from message_words w
      where (select count(*) from words_page) < p_limit
        and w.words @@ here and w.content ilike parts[1] and w.content ilike all (parts)
        and w.conversation_id = any (own) and not w.words @@ wanted),
    page as (
      select * from words_page
      union all
      (select f.message_id, 0 from with_parts f
        where (p_message_id is null or (0, f.message_id) < (p_relevance, p_message_id))
          and (by_text_alone or is_asked_for(f.message_id, p_sender_id, p_from, p_to, p_with_file))
        order by f.message_id desc limit p_limit)
      order by relevance desc, message_id desc limit p_limit)
    select coalesce(json_agg(json_build_object('message', s.shown, 'relevance', p.relevance,
        'marked', json_build_array(marked_words(w.content, wanted, language), marked_words(w.content, wanted, 'simple')))
        order by p.relevance desc, p.message_id desc), '[]')
    from page p join message_words w on w.message_id = p.message_id
      join messages_shown(array(select message_id from page)) s on s.message_id = p.message_id);
end $$;
revoke execute on function search_messages(text,bigint,bigint,timestamp with time zone,timestamp with time zone,integer,integer,bigint,boolean) from public;
grant execute on function search_messages(text,bigint,bigint,timestamp with time zone,timestamp with time zone,integer,integer,bigint,boolean) to authenticated;

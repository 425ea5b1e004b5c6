-- directory ---------------------------------------------------------------------------------------

-- Members are listed by their names without marks (sort_name_of): Ö stood behind Z.
update memberships m
  set sort_name = regexp_replace(normalize(lower(u.display_name), nfkd), '[\u0300-\u036f]', '', 'g')
  from users u
  where u.id = m.user_id and u.display_name ~ '[^\x01-\x7f]';

-- features/chat -----------------------------------------------------------------------------------

-- Reactions are counted by the budget of their operation since: nothing reads this.
drop index reactions_by_person;

-- directory ---------------------------------------------------------------------------------------

-- Members are listed by their names without marks (sort_name_of): Ö stood behind Z.
update memberships m
  set sort_name = lower(regexp_replace(normalize(u.display_name, nfkd), '[\u0300-\u036f]', '', 'g'))
  from users u
  where u.id = m.user_id and u.display_name ~ '[^\x01-\x7f]';

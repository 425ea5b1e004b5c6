/**
 * What migrations make besides rows, as PostgreSQL describes it: one row for each part, with all that matters of it as
 * text (`is`) and the statements that make it again (`mend`). Only what reads the same on PostgreSQL 15 to 18. Read with
 * an empty `search_path`, so that names are complete wherever one asks from. `$roles` stands for the roles that the
 * office takes on, an array of names.
 */
export const CATALOGUE_QUERY = `
with ours as (
  select c.oid, c.relname, c.relkind, c.relowner, c.relacl, c.reloptions, c.relrowsecurity, c.oid::regclass::text as name
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relname <> 'schema_migrations'
    and c.relname <> 'schema_migrations_id_seq' and c.relkind in ('r', 'p', 'v', 'S')
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
), functions as (
  select p.*, p.oid::regprocedure::text as name
  from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
    and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
), rights as (
  select o.relowner as owner, case o.relkind when 'S' then 'sequence ' else 'table ' end || o.name as target,
    coalesce(o.relacl, acldefault(case o.relkind when 'S' then 's'::"char" else 'r' end, o.relowner)) as acl
  from ours o
  union all
  select f.proowner, 'function ' || f.name, coalesce(f.proacl, acldefault('f', f.proowner)) from functions f
  union all
  select n.nspowner, 'schema public', n.nspacl from pg_namespace n where n.nspname = 'public'
), granted as (
  select lower(a.privilege_type) || ' on ' || r.target || ' to '
      || case a.grantee when 0 then 'public' else quote_ident(g.rolname) end as name,
    a.grantee, r.target
  from rights r cross join aclexplode(r.acl) a left join pg_roles g on g.oid = a.grantee
  where a.grantee <> r.owner and (a.grantee = 0 or g.rolname = any($roles))
), reached as (
  -- by what no list of rights of the whole table shows: columns, another role, or because it is theirs
  select privilege || ' on table ' || o.name || ' to ' || quote_ident(g.rolname) as name
  from ours o cross join pg_roles g cross join unnest(array['select', 'insert', 'update', 'references']) privilege
  where o.relkind <> 'S' and g.rolname = any($roles) and has_any_column_privilege(g.oid, o.oid, privilege)
    and not exists (select from aclexplode(o.relacl) a
      where lower(a.privilege_type) = privilege and a.grantee in (0, g.oid) and a.grantee <> o.relowner)
)
select 'extension' as kind, quote_ident(e.extname) as name, '' as is,
  array[format('create extension if not exists %I with schema public', e.extname)] as mend
from pg_extension e where e.extname <> 'plpgsql'
union all
select 'role', quote_ident(r.rolname), concat_ws(' ', case when r.rolsuper then 'superuser' end,
    case when r.rolbypassrls then 'bypassrls' end,
    case when r.rolcanlogin then 'login' end,
    case when not pg_has_role(current_user, r.oid,
      case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end) then 'stranger' end),
  array[
    format($m$do $d$ begin
      if not exists (select from pg_roles where rolname = %L) then create role %I nologin noinherit; end if;
    end $d$$m$, r.rolname, r.rolname),
    format($m$do $d$ begin
      if exists (select from pg_roles where rolname = %L and (rolsuper or rolbypassrls)) then
        alter role %I nosuperuser nobypassrls;
      end if;
    end $d$$m$, r.rolname, r.rolname),
    format($m$do $d$ begin
      if exists (select from pg_roles where rolname = %L and rolcanlogin) then alter role %I nologin; end if;
    end $d$$m$, r.rolname, r.rolname),
    format($m$do $d$ begin
      if not pg_has_role(current_user, %L, case when current_setting('server_version_num')::int >= 160000
        then 'SET' else 'MEMBER' end) then execute format('grant %I to %%I', current_user); end if;
    end $d$$m$, r.rolname, r.rolname)]
from pg_roles r where r.rolname = any($roles)
union all
select case o.relkind when 'S' then 'sequence' else 'table' end, o.name, '', '{}'
from ours o where o.relkind <> 'v'
union all
select 'column', o.name || '.' || quote_ident(a.attname), format_type(a.atttypid, a.atttypmod), '{}'
from ours o join pg_attribute a on a.attrelid = o.oid
where o.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
union all
select 'function', f.name, concat_ws(' ', f.prosrc, pg_get_function_arguments(f.oid), pg_get_function_result(f.oid),
    f.prosecdef, f.provolatile, f.proisstrict, f.prorows, f.proconfig, l.lanname),
  array[pg_get_functiondef(f.oid)]
from functions f join pg_language l on l.oid = f.prolang
union all
select 'view', o.name, concat_ws(' ', o.reloptions, (select string_agg(a.attname || ' '
    || format_type(a.atttypid, a.atttypmod), ',' order by a.attnum) from pg_attribute a where a.attrelid = o.oid and a.attnum > 0),
    -- until 15 every column names its table, from 16 on only where there are several
    regexp_replace(regexp_replace(pg_get_viewdef(o.oid), '\\m\\w+\\.', '', 'g'), '\\s+', ' ', 'g')),
  array[format('create or replace view %s %s as %s', o.name,
    case when o.reloptions is not null then 'with (' || array_to_string(o.reloptions, ', ') || ')' else '' end,
    pg_get_viewdef(o.oid))]
from ours o where o.relkind = 'v'
union all
select 'row security', o.name, '', array[format('alter table %s enable row level security', o.name)]
from ours o where o.relrowsecurity
union all
select 'constraint', format('%I on %s', c.conname, o.name), pg_get_constraintdef(c.oid),
  array[format('alter table %s drop constraint if exists %I', o.name, c.conname),
    format('alter table %s add constraint %I %s', o.name, c.conname, pg_get_constraintdef(c.oid))]
from pg_constraint c join ours o on o.oid = c.conrelid where c.contype in ('p', 'u', 'f', 'c', 'x')
union all
select 'index', i.indexrelid::regclass::text, concat_ws(' ', pg_get_indexdef(i.indexrelid), i.indisvalid),
  array[format('drop index if exists %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)]
from pg_index i join ours o on o.oid = i.indrelid
where not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.contype in ('p', 'u', 'x'))
union all
select 'trigger', format('%I on %s', t.tgname, o.name), concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled),
  array[format('drop trigger if exists %I on %s', t.tgname, o.name), pg_get_triggerdef(t.oid)]
from pg_trigger t join ours o on o.oid = t.tgrelid where not t.tgisinternal
union all
select 'policy', format('%I on %s', p.polname, o.name), body.text,
  array[format('drop policy if exists %I on %s', p.polname, o.name),
    format('create policy %I on %s %s', p.polname, o.name, body.text)]
from pg_policy p join ours o on o.oid = p.polrelid
cross join lateral (select concat_ws(' ',
  case when p.polpermissive then 'as permissive' else 'as restrictive' end,
  'for ' || case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete'
    else 'all' end,
  'to ' || (select string_agg(case r when 0 then 'public' else r::regrole::text end, ', ' order by r::regrole::text)
    from unnest(p.polroles) r),
  'using (' || pg_get_expr(p.polqual, p.polrelid) || ')',
  'with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')') as text) body
union all
select 'grant', g.name, '', array['grant ' || g.name] from granted g
union all
select 'reach', r.name, '', '{}' from reached r
union all
select 'owner', pg_get_userbyid(r.owner) || ' of ' || r.target, '', '{}'
from rights r where pg_get_userbyid(r.owner) = any($roles)
`

/** The roles that something of the schema names, besides its owner. */
export const ROLES_QUERY = `
select distinct r.rolname as role from (
  select unnest(polroles) as oid from pg_policy
  union all
  select a.grantee from pg_class c cross join aclexplode(c.relacl) a
  where c.relnamespace = 'public'::regnamespace and a.grantee <> c.relowner
) named join pg_roles r on r.oid = named.oid order by 1
`

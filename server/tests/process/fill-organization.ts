import pg from 'pg'

/** People and messages, in statements of their own: that many sign-ups do not fit into a test. */
export async function fillOrganization(
  connectionString: string,
  organizationId: string,
  { people, messages, characters = 1_000 }: { people: number; messages: number; characters?: number },
): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(`begin; set local atrium.importing = 'on'`)
  await client.query(
    `with made as (
      insert into users (identity_user_id, email, display_name, created_at, updated_at)
        select 'user_' || lpad(n::text, 26, '0'), 'person-' || n || '@large.example', 'Person ' || n, now(), now()
        from generate_series(1, ${people - 1}) n returning id)
    insert into memberships (organization_id, user_id, role, status, created_at, updated_at)
      select o.id, made.id, 'member', 'active', now(), now() from made, organizations o
      where o.identity_organization_id = $1`,
    [organizationId],
  )
  await client.query(
    `insert into conversations (org_id, type, title, created_at, updated_at)
      select id, 'GROUP', 'Everybody', now(), now() from organizations where identity_organization_id = $1`,
    [organizationId],
  )
  await client.query(
    `insert into conversation_members (conversation_id, user_id, org_id, joined_at)
      select c.conversation_id, m.user_id, m.organization_id, now() from conversations c
      join memberships m on m.organization_id = c.org_id where c.title = 'Everybody'`,
  )
  await client.query(
    `insert into messages (message_id, conversation_id, org_id, sender_id, content, reply_count, is_edited,
        is_deleted, created_at, updated_at)
      select nextval('message_ids'), cm.conversation_id, cm.org_id, cm.user_id,
        'message ' || n || ' ' || repeat(md5(n::text || cm.user_id), ${Math.ceil(characters / 32)}), 0, false, false, now(), now()
      from conversation_members cm, generate_series(1, ${messages / people}) n`,
  )
  await client.query('commit')
  await client.end()
}

-- What runs by itself reads what has changed, and not what rests.

-- access ------------------------------------------------------------------------------------------

-- Sessions that are over are found without those that are not.
create index sessions_revoked on sessions (revoked_at) where revoked_at is not null;
create index sessions_by_idleness on sessions (idle_expires_at);
-- those that somebody's single sign-on has made: there may be none to look at
create index sessions_of_single_sign_on on sessions (user_id) where revoked_at is null and method = 'sso';

-- directory ---------------------------------------------------------------------------------------

-- Whose addresses are of a domain.
create index users_of_domain on users (split_part(email, '@', 2));
-- Domains whose record is to be looked up, those that were never first.
create index organization_domains_to_look_up
  on organization_domains (proven_by_dns, coalesce(looked_up_at, '-infinity'::timestamptz))
  where state = 'verified';
-- What was renamed, deleted or brought back lately.
create index organizations_by_change on organizations (updated_at);

-- features/sign-in --------------------------------------------------------------------------------

create index recovery_links_by_expiry on recovery_links (expires_at);

-- features/recordings -----------------------------------------------------------------------------

-- Given up by us: the media server may yet tell of them.
create index recordings_presumed on recordings (ended_at) where presumed;

-- features/media-events ---------------------------------------------------------------------------

-- What the windows of the metrics are counted from, of one organization.
create index media_participants_by_organization on media_participants (organization_id, ended_at)
  where counts and ended_at is not null;
create index media_jobs_by_organization on media_jobs (organization_id, ended_at) where ended_at is not null;

-- features/guests ---------------------------------------------------------------------------------

-- Which key has sealed a link: the link itself is with whoever was sent it, and works for as long as that key is known.
-- Null: made by the release before, or first seen when it was used.
alter table guest_invites add column sealed_with text;

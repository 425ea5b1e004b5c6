-- The public key that a guest's page has made: the key of a sealed room is sealed to it at their admission. X25519, 32
-- bytes as base64url.
alter table guests
  add column public_key text constraint guests_x25519 check (octet_length(public_key) = 43);

import { INPUT_BOUNDS } from './input-bounds.ts'

const count = (number: number) => number.toLocaleString('en')

const INTRODUCTION = `The backend of a virtual office: sign-in, organizations, presence, rooms, guests, recordings, calendars and chat.`

const SESSIONS = `## Sessions and cookies
Signing in sets an HttpOnly cookie, \`atrium_session\` (\`__Host-atrium_session\` and \`Secure\` where the office is served over https), with \`SameSite=Lax\`. Browsers send it by themselves; programs keep it like any cookie. It ends after 7 days without use, after 30 days in all, at sign-out, and when what it rests on ends. Entering another organization gives it a new value.

Every operation says in \`x-access\` who may call it: anybody (\`public\`), somebody signed in (\`session\`), or somebody with an active organization and, where it says so, a permission there (\`organization\`, \`any-organization\`).`

const TOKENS = `## Service tokens
A program acts for an organization with a service token (\`createServiceToken\`): \`Authorization: Bearer atr_…\`. It may call the operations that it was made for, among those that say \`serviceTokens\` in \`x-access\`; any other one is 403 \`token-not-allowed\`. A request with \`Authorization: Bearer\` has no session: its cookies are not looked at, and a token that is unknown, expired or revoked is 401.`

const DIRECTORIES = `## Directories
The directory of an organization (Entra ID, Okta, …) speaks SCIM 2.0 (RFC 7643, RFC 7644) at \`/scim/v2\`, with the token of \`createDirectoryConnection\`. Those endpoints describe themselves there (\`/scim/v2/ServiceProviderConfig\`, \`/scim/v2/Schemas\`, \`/scim/v2/ResourceTypes\`), answer \`application/scim+json\` and refuse in the form of SCIM; they are not part of this document.`

const ORIGINS = `## Pages of other origins
Pages of \`FRONTEND_URL\` and \`ALLOWED_ORIGINS\` may call with credentials (\`fetch(url, { credentials: 'include' })\`). A request with any other \`Origin\` is answered 403 \`cross-site\`, whatever it asks for, before anything else is looked at; that answer can be read by the page, so that its console says what to do. What changes something must also be JSON, so that no form of another site can send it: 415 otherwise.`

const REQUESTS = `## Requests
Bodies are JSON (\`content-type: application/json\`) in UTF-8, at most 256 KiB, not compressed. A body without a required field may be left out. Unknown fields are dropped; a value of another type is refused and never converted. Lengths are counted in characters after Unicode normalization (NFC); spaces around names and e-mail addresses are dropped. Times are RFC 3339.

Before anything of a request is read, its size is looked at: ${INPUT_BOUNDS.depth} lists and objects within each other, ${count(INPUT_BOUNDS.values)} values and names in all, ${INPUT_BOUNDS.marksInARow} combining marks in a row, for each text ${INPUT_BOUNDS.unitsPerCharacter} UTF-16 units for each character that it may have (at least ${count(INPUT_BOUNDS.leastTextUnits)}; ${count(INPUT_BOUNDS.textUnits)} where no length is said), for each list as many entries as it says. Beyond that it is refused as input that does not fit.

\`HEAD\` works wherever \`GET\` does, \`OPTIONS\` answers 204 with the methods of a path in \`Allow\`, and another method than those is 405 with the same header.`

const SENT_TWICE = `## Requests sent twice
Operations that make something take the header \`Idempotency-Key\` (1 to 255 characters of ASCII, best a fresh UUID). For 24 hours the same request of the same person under the same key gets the reply of the first, with \`Idempotency-Replayed: true\`, and makes nothing again. Other input under the same key is refused with 422, and while the first is under way with 409. Refusals are not kept.`

const ERRORS = `## Refusals
Every refusal has one shape: \`{code, message, error, details?, requestId}\`. \`code\` is the HTTP status, \`message\` a sentence for a person, \`error\` a stable word for programs, \`details\` says for each field what to enter there, and \`requestId\` finds the request in the log of the office (header \`x-request-id\`). Each operation lists its words; messages may be reworded, words stay.

They come in this order: the origin (403), the session or token (401), where the request comes from and its content type (403, 415), the role, or what the token may (403), the budget (429), the body (413, 400 or 422), and at last what the operation itself finds. What belongs to another organization is not found (404).`

const LIMITS = `## Limits
Calls draw on budgets per person, per network address, per e-mail address or per organization. The headers \`ratelimit-limit\`, \`ratelimit-remaining\` and \`ratelimit-reset\` (seconds) tell of the tightest one; an empty one is 429 with \`retry-after\`. The budget of a person refills all the time: what comes up to ten seconds too early waits. Of one person, and of one organization, a few requests are worked on at the same time; the others wait for them, at most two seconds, then 429. The sizes are settings of the office (\`RATE_LIMIT_…\`, \`REQUESTS_UNDER_WAY_…\`).`

const EVENTS = `## Events
What the office publishes over the realtime connection is described by \`/asyncapi.json\`.`

/** What a reader of any operation has to know, in Markdown. */
export const openApiHead = [
  INTRODUCTION,
  SESSIONS,
  TOKENS,
  DIRECTORIES,
  ORIGINS,
  REQUESTS,
  SENT_TWICE,
  ERRORS,
  LIMITS,
  EVENTS,
].join('\n\n')

import { Type } from '../../platform/schema.ts'

/**
 * How long the texts of a request may be, for the look at its size before any statement (`bounded-input.ts`): whether they
 * fit the database says. Everything else has the bounds of all input.
 */
export const TITLE_CHARACTERS = 100
const Title = Type.Optional(Type.String({ maxLength: TITLE_CHARACTERS, label: 'a title' }))
const Texts = Type.Object({
  content: Type.Optional(Type.String({ maxLength: 4_000, label: 'a message' })),
  p_title: Title,
})

/** Rows that are sent come alone or as a list. */
export const SENT_BOUNDS = {
  params: Type.Object({}),
  query: Type.Object({ p_title: Title }),
  body: Type.Union([Texts, Type.Array(Texts)]),
}

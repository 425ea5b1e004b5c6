import { Type } from '../../platform/schema.ts'

/**
 * How long the texts of a request may be, for the look at its size before any statement (`bounded-input.ts`): whether they
 * fit the database says. Everything else has the bounds of all input.
 */
const Texts = Type.Object({
  content: Type.Optional(Type.String({ maxLength: 4_000, label: 'a message' })),
  p_title: Type.Optional(Type.String({ maxLength: 100, label: 'a title' })),
})

/** Rows that are sent come alone or as a list. */
export const SENT_BOUNDS = {
  params: Type.Object({}),
  query: Type.Object({ p_title: Type.Optional(Type.String({ maxLength: 100, label: 'a title' })) }),
  body: Type.Union([Texts, Type.Array(Texts)]),
}

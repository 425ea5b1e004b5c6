/** How colleagues see a person. */
export interface OwnFace {
  id: string
  name: string
  /** "" where none was chosen: a portrait is drawn. */
  url: string
}

import { describe, expect, it } from 'vitest'
import { schemaFiles, schemaStatements } from '../server/src/platform/database/schema/schema-files.ts'
import { effectsOf, type Places, readSchema } from './effects.ts'

const PATH = 'server/src/features/knock/schema.sql'
const places: Places = {
  queues: new Map([['lamps', 'server/src/lamps.ts']]),
  notifications: new Map([['rung', 'server/src/ringing.ts']]),
}
const trigger = (name: string, told: string, calls: string) =>
  `create or replace trigger ${name} after ${told} on doors for each row execute function ${calls}();`
const SQL = `
create or replace function heard() returns trigger language plpgsql as $$
begin
  -- insert into comments
  update lamps b set rung_at = now(), rung_by = 1 where b.id = new.id;
  perform ring('hard');
  return null;
end $$;
create or replace function ring(how text) returns void language sql as $$
  select enqueue_work('lamps', how), pg_notify('rung', how), append_event(array['a'], 'lamp.rung', now(), '{}', 'x')
$$;
${trigger('doors_opened', 'insert or update of open, locked', 'heard')}
create or replace function echo() returns trigger language plpgsql as $$
begin
  delete from doors;
  return null;
end $$;
create or replace trigger lamps_rung after update of rung_at on lamps for each row execute function echo();`
const schema = readSchema(schemaStatements(PATH, SQL))
const namesOf = (lines: readonly string[]) => lines.map((line) => line.replace(/ {2}\(.*/, ''))

describe('what follows from a change', () => {
  it('is told down to who hears of it', () => {
    expect(effectsOf(schema, [{ table: 'doors', event: 'update', column: 'open' }], places)).toEqual([
      `update doors.open → trigger doors_opened → heard  (${PATH}:2)`,
      '  update lamps.rung_at',
      `    update lamps.rung_at → trigger lamps_rung → echo  (${PATH}:13)`,
      '      delete doors',
      '  update lamps.rung_by',
      `  calls → ring  (${PATH}:9)`,
      '    event lamp.rung  (docs/events.md)',
      '    queue lamps  (server/src/lamps.ts)',
      '    notification rung  (server/src/ringing.ts)',
    ])
  })

  it('is nothing for a column that no trigger hears of', () => {
    expect(effectsOf(schema, [{ table: 'doors', event: 'update', column: 'colour' }], places)).toEqual([])
    expect(effectsOf(schema, [{ table: 'doors', event: 'insert' }], places)).toHaveLength(9)
  })

  it('ends where a change leads back to itself', () => {
    const circle = `${SQL}\n${trigger('doors_gone', 'delete', 'heard')}`
    const lines = effectsOf(
      readSchema(schemaStatements(PATH, circle)),
      [{ table: 'doors', event: 'delete' }],
      places,
    )
    expect(lines.length).toBeLessThan(30)
  })

  it('is read from the files of the server', () => {
    const own = readSchema(schemaFiles())
    expect(own.triggers.filter(({ calls }) => !own.functions.has(calls))).toEqual([])
    expect(own.triggers.filter(({ events }) => [...events.keys()].includes('' as never))).toEqual([])
    const ended = effectsOf(own, [{ table: 'sessions', event: 'update', column: 'revoked_at' }], places)
    expect(namesOf(ended)).toEqual(
      expect.arrayContaining(['  event session.ended', '      queue room-session-ends']),
    )
  })
})

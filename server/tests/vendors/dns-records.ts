import type { TestOffice } from '../office.ts'

/** A DNS of the test's own, in place of the machine's: names have the TXT records that are published here. */
export interface DnsRecords {
  publish(record: { name: string; value: string }): void
  withdraw(name: string): void
  /** Whether it answers; a name without a record answers too. */
  answers: boolean
}

export function useDnsRecords({ office }: Pick<TestOffice, 'office'>): DnsRecords {
  const records = new Map<string, string[][]>()
  const dns: DnsRecords = {
    answers: true,
    publish({ name, value }) {
      // long ones come in several parts
      const parts = [value.slice(0, 20), value.slice(20)]
      records.set(name, [['v=spf1 -all'], ...(records.get(name) ?? []), parts])
    },
    withdraw: (name) => void records.delete(name),
  }
  office.needs.resolveText = async (name) => {
    const found = records.get(name)
    if (!dns.answers || !found)
      throw Object.assign(new Error(name), { code: dns.answers ? 'ENOTFOUND' : 'ETIMEOUT' })
    return found
  }
  return dns
}

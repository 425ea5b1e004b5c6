import type { ReactNode } from 'react'
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from 'react-aria-components/Tabs'
import './tabs.css'

export interface TabsProps<Id extends string> {
  label: string
  tabs: readonly { id: Id; label: string; count?: number; countLabel?: string }[]
  chosen: Id
  onChange(id: Id): void
  /** What the chosen one shows. */
  children: ReactNode
}

/** In a narrow window the chosen one may be beyond the edge. */
const showWhole = (tab: HTMLElement | null) => {
  tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** Parts of a screen of which one is shown: by arrows, Home and End from one to the next. */
export function Tabs<Id extends string>({ label, tabs, chosen, onChange, children }: TabsProps<Id>) {
  return (
    <AriaTabs className="tabs" selectedKey={chosen} onSelectionChange={(id) => onChange(id as Id)}>
      <TabList aria-label={label} className="tab-list">
        {tabs.map(({ id, label: text, count = 0, countLabel }) => (
          <Tab key={id} id={id} className="tab" ref={id === chosen ? showWhole : null}>
            {text}
            {count > 0 && (
              <span className="tab-count">
                <span aria-hidden="true">{count}</span>
                <span className="visually-hidden">{countLabel}</span>
              </span>
            )}
          </Tab>
        ))}
      </TabList>
      <TabPanel key={chosen} id={chosen} className="tab-panel">
        {children}
      </TabPanel>
    </AriaTabs>
  )
}

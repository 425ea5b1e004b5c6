import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { pagePaths } from '../../page-paths.ts'
import { useMay, useMembership } from '../live/permissions.ts'
import { PageHeading } from '../ui/page-heading.tsx'
import { EmptyState } from '../ui/state.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useAdministrationWords } from '../words/administration.ts'
import { CARDS, PARTS, type Part } from './cards.tsx'
import { FindSetting, type FoundSetting } from './find/find-setting.tsx'
import { leadTo } from './find/lead-to.ts'
import './administration.css'

/** What administrators look after: the organization itself, rooms, recordings, how people sign in, programs, and what was done. */
export function AdministrationScreen() {
  const words = useAdministrationWords()
  const may = useMay()
  const membership = useMembership()
  if (!membership || !may('EditOrganization'))
    return (
      <>
        <PageHeading title={words.title} />
        <EmptyState icon="administration" title={words.notYours} />
      </>
    )
  return <Administration key={membership.organization.id} name={membership.organization.name} />
}

function Administration({ name }: { name: string }) {
  const words = useAdministrationWords()
  const { chosen, choose } = useChosenPart()
  const [sought, setSought] = useState<FoundSetting>()
  const lead = (setting: FoundSetting) => {
    // another object each time: the same one may be sought again
    setSought({ ...setting })
    choose(setting.part)
  }
  return (
    <>
      <PageHeading title={words.title} about={name}>
        <div className="administration-ways">
          <a href={pagePaths.health} className="button button-small">
            {words.health}
          </a>
          <FindSetting onChosen={lead} />
        </div>
      </PageHeading>
      <Tabs
        label={words.title}
        tabs={PARTS.map((id) => ({ id, label: words.parts[id] }))}
        chosen={chosen}
        onChange={choose}
      >
        <Cards key={chosen} part={chosen} sought={sought?.part === chosen ? sought : undefined} />
      </Tabs>
    </>
  )
}

/** One of five at a time; the address says which, so that it can be linked to and gone back from. */
function useChosenPart() {
  const navigate = useNavigate()
  const { part } = useSearch({ strict: false })
  const chosen = PARTS.find((one) => one === part) ?? 'office'
  const choose = (next: Part) => void navigate({ to: pagePaths.administration, search: { part: next } })
  return { chosen, choose }
}

function Cards({ part, sought }: { part: Part; sought: FoundSetting | undefined }) {
  const may = useMay()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => (sought && place.current ? leadTo(place.current, sought) : undefined), [sought])
  return (
    <div className="administration" ref={place}>
      {Object.entries(CARDS).map(
        ([id, { part: its, permission, Shown }]) =>
          its === part && (permission === undefined || may(permission)) && <Shown key={id} />,
      )}
    </div>
  )
}

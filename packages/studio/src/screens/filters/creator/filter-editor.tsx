import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { say } from '../../../words/say.ts';
import { missingIn } from '../definition/edited-filter.ts';
import { plainLink } from '../primary-link.ts';
import { typeLabels } from '../wanted.ts';
import { CreatorHeader } from './creator-header.tsx';
import { DraftPanel } from './draft-panel.tsx';
import { FilterEditForm } from './filter-edit-form.tsx';
import { FilterMenu } from './filter-menu.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { QuickTestLinksPanel } from './quick-test-links-panel.tsx';
import { ReadyMark } from './ready-mark.tsx';
import { SaveProblem } from './save-problem.tsx';
import type { SavedFilter } from './saved-filter.ts';
import { useFilterEdit } from './use-filter-edit.ts';
import { UsesPanel } from './uses-panel.tsx';
import { VersionsPanel } from './versions-panel.tsx';

type Page = 'definition' | 'versions' | 'links' | 'uses';
const pages: { value: Page; label: string }[] = [
  { value: 'definition', label: say('Definition') },
  { value: 'versions', label: say('Versions') },
  { value: 'links', label: say('Test links') },
  { value: 'uses', label: say('Used by') },
];

/** A saved filter: its definition, its versions, its quick test links, and the slots and events that run it. */
export function FilterEditor({ saved }: { saved: SavedFilter }) {
  const [page, setPage] = useState<Page>('definition');
  const edit = useFilterEdit(saved);
  const { detail, draft, edited } = edit;
  const canSave = edit.isChanged && edited.name.trim() !== '' && !missingIn(edited);
  return (
    <>
      <LeaveGuard isChanged={edit.isChanged} />
      <CreatorHeader
        title={detail.name}
        note={
          <p className="text-ink-soft">
            {typeLabels[detail.filter_type]} · {say('version {version} is live', { version: detail.version })}
            {detail.ready && ` · ${say('ready')}`}
            {draft && ` · ${say('version {version} is a draft', { version: draft.version })}`}
          </p>
        }
      >
        {!draft && <ReadyMark detail={detail} isChanged={edit.isChanged} />}
        <Link to="/studio/qa/new" search={{ filter: detail.id }} className={`${plainLink} max-sm:hidden`}>
          {say('Check on many photos')}
        </Link>
        <FilterMenu detail={detail} />
        <Button
          kind={draft && !edit.isChanged ? 'plain' : 'primary'}
          disabled={!canSave}
          busy={edit.isSaving}
          onClick={edit.save}
        >
          {say('Save draft')}
        </Button>
      </CreatorHeader>
      <SaveProblem error={edit.error} />
      {draft && <DraftPanel detail={detail} draft={draft} etag={edit.etag} isChanged={edit.isChanged} />}
      <div className="px-6 pb-5 max-md:px-4">
        <Segmented
          label={say('Parts of the filter')}
          className="max-sm:w-full"
          value={page}
          options={pages}
          onChange={(next) => setPage(next)}
        />
      </div>
      {page === 'definition' ? (
        <FilterEditForm edit={edit} />
      ) : (
        <div className="px-6 pb-12 max-md:px-4">
          {page === 'versions' && <VersionsPanel detail={detail} etag={edit.etag} />}
          {page === 'links' && <QuickTestLinksPanel filterId={detail.id} />}
          {page === 'uses' && <UsesPanel detail={detail} />}
        </div>
      )}
    </>
  );
}

import type { UsageGrouping } from '@guise/contract/usage.ts';
import { Download } from 'lucide-react';
import { useGuise } from '../../app/guise-context.ts';
import { errorSentence } from '../../ui/error-sentence.ts';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { saveBlob } from '../../ui/save-file.ts';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';
import { type DayRange, usageQueryOf } from './usage-search.ts';

const groupings: Record<UsageGrouping, string> = {
  day: say('By day'),
  family: say('By family'),
  filter: say('By filter'),
  key: say('By key'),
};

/** The numbers as a file for a spreadsheet. */
export function CsvButton({ range }: { range: DayRange }) {
  const guise = useGuise();
  const { fail } = useToast();
  const save = async (by: UsageGrouping) => {
    try {
      const file = await guise.usage.csv({ by, ...usageQueryOf(range) });
      saveBlob(file, `usage-by-${by}-${range.first}-to-${range.last}.csv`);
    } catch (error) {
      fail(errorSentence(error));
    }
  };
  return (
    <Menu
      label={say('Download CSV')}
      className="inline-flex min-h-10 items-center gap-2 rounded-card border bg-raised px-3.5 hover:border-ink-soft"
      trigger={
        <>
          <Download size={16} aria-hidden />
          <span className="max-sm:sr-only">{say('CSV')}</span>
        </>
      }
    >
      {Object.entries(groupings).map(([by, label]) => (
        <MenuItem key={by} onClick={() => void save(by as UsageGrouping)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}

import {
  CalendarDays,
  ChartNoAxesColumn,
  Images,
  KeyRound,
  LayoutGrid,
  ListChecks,
  type LucideIcon,
  ServerCog,
  Shuffle,
  WandSparkles,
} from 'lucide-react';
import { say } from '../words/say.ts';

/** A screen that the rail leads to. */
export interface RailEntry {
  to: string;
  label: string;
  icon: LucideIcon;
}

export const railEntries: readonly RailEntry[] = [
  { to: '/', label: say('Try'), icon: WandSparkles },
  { to: '/studio/filters', label: say('Filters'), icon: LayoutGrid },
  { to: '/studio/qa', label: say('QA'), icon: ListChecks },
  { to: '/studio/aliases', label: say('Aliases'), icon: Shuffle },
  { to: '/studio/events', label: say('Events'), icon: CalendarDays },
  { to: '/studio/jobs', label: say('Jobs'), icon: Images },
  { to: '/studio/usage', label: say('Usage'), icon: ChartNoAxesColumn },
  { to: '/studio/keys', label: say('Keys'), icon: KeyRound },
];
export const operatorEntry: RailEntry = { to: '/studio/operator', label: say('Operator'), icon: ServerCog };

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

/** A screen that the rail leads to. */
export interface RailEntry {
  to: string;
  label: string;
  icon: LucideIcon;
}

export const railEntries: readonly RailEntry[] = [
  { to: '/', label: 'Try', icon: WandSparkles },
  { to: '/studio/filters', label: 'Filters', icon: LayoutGrid },
  { to: '/studio/qa', label: 'QA', icon: ListChecks },
  { to: '/studio/aliases', label: 'Aliases', icon: Shuffle },
  { to: '/studio/events', label: 'Events', icon: CalendarDays },
  { to: '/studio/jobs', label: 'Jobs', icon: Images },
  { to: '/studio/usage', label: 'Usage', icon: ChartNoAxesColumn },
  { to: '/studio/keys', label: 'Keys', icon: KeyRound },
];
export const operatorEntry: RailEntry = { to: '/studio/operator', label: 'Operator', icon: ServerCog };

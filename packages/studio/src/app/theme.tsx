import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react';

export type Theme = 'system' | 'light' | 'dark';
const storageKey = 'guise-theme';

const ThemeContext = createContext<{ theme: Theme; setTheme(theme: Theme): void }>({
  theme: 'system',
  setTheme: () => {},
});
export const useTheme = () => use(ThemeContext);

/** Light or dark: as the system is, unless the person chose. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const [theme, setTheme] = useState<Theme>(readTheme);
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const apply = () => {
      const isDark = theme === 'dark' || (theme === 'system' && dark.matches);
      document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
    };
    apply();
    dark.addEventListener('change', apply);
    localStorage.setItem(storageKey, theme);
    return () => dark.removeEventListener('change', apply);
  }, [theme]);
  const value = useMemo(() => ({ theme, setTheme }), [theme]);
  return <ThemeContext value={value}>{children}</ThemeContext>;
}

function readTheme(): Theme {
  const stored = localStorage.getItem(storageKey);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

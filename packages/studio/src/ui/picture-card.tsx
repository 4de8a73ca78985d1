import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { say } from '../words/say.ts';

interface PictureCardProps {
  /** A picture of the real thing; none while it is being made. */
  src: string | null | undefined;
  name: string;
  note?: ReactNode;
  isChosen?: boolean;
  onClick?: () => void;
  /** The page that it opens, instead of `onClick`. */
  href?: string;
  /** Buttons, shown on hover, on focus and on touch screens. */
  actions?: ReactNode;
  /** Width to height, as the picture is. */
  ratio?: '2/3' | '3/2' | '1/1';
}

const ratios = { '2/3': 'aspect-[2/3]', '3/2': 'aspect-[3/2]', '1/1': 'aspect-square' } as const;

/** A picture with its name below. */
export function PictureCard(props: PictureCardProps) {
  const { src, name, note, isChosen, onClick, href, actions, ratio = '2/3' } = props;
  const picture = (
    <>
      <span
        className={`block overflow-hidden rounded-card bg-panel ${ratios[ratio]} ${isChosen ? 'outline-2 outline-offset-2 outline-accent' : ''}`}
      >
        {src ? (
          <img
            src={src}
            alt=""
            loading="lazy"
            decoding="async"
            className="size-full object-cover transition-[filter] group-hover:brightness-105"
          />
        ) : (
          <span className="grid size-full place-items-center text-small text-ink-soft">
            {say('No picture yet')}
          </span>
        )}
      </span>
      <span className="mt-1.5 line-clamp-2 text-small font-medium">{name}</span>
      {note && <span className="block truncate text-small text-ink-soft">{note}</span>}
    </>
  );
  return (
    <div className="group relative min-w-0">
      {href ? (
        <Link to={href} className="block">
          {picture}
        </Link>
      ) : onClick ? (
        <button type="button" onClick={onClick} aria-pressed={isChosen} className="block w-full text-left">
          {picture}
        </button>
      ) : (
        picture
      )}
      {actions && (
        <div className="absolute top-1.5 right-1.5 flex gap-1 opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 [@media(hover:none)]:opacity-100">
          {actions}
        </div>
      )}
    </div>
  );
}

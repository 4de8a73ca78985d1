import { say } from '../../../words/say.ts';
import { TestNotes } from './test-notes.tsx';
import type { TestPerson } from './test-people.ts';
import type { DraftTest } from './use-draft-tests.ts';

interface TestPictureProps {
  person: TestPerson;
  test: DraftTest | undefined;
  wide: boolean;
  onOpen(): void;
}

/** One test person: the photo until there is a result, then the result with the photo in its corner. */
export function TestPicture({ person, test, wide, onOpen }: TestPictureProps) {
  const isMaking = test?.state === 'running' || test?.state === 'waiting';
  return (
    <figure className="flex flex-col gap-x-3 gap-y-1.5 max-lg:flex-row">
      <button
        type="button"
        onClick={onOpen}
        aria-label={say('{name}: compare before and after', { name: person.name })}
        disabled={!test?.url}
        className={`relative block shrink-0 overflow-hidden rounded-card bg-panel max-lg:h-36 ${wide ? 'aspect-[3/2] lg:w-full' : 'aspect-[2/3] lg:w-full'}`}
      >
        <img
          src={test?.url ?? person.src}
          alt=""
          className={`size-full transition-opacity ${test?.url ? 'object-contain' : 'object-cover'} ${isMaking ? 'opacity-40' : ''}`}
        />
        {test?.url && (
          <img
            src={person.src}
            alt=""
            className="absolute bottom-1 left-1 size-8 rounded-[4px] border border-white/70 object-cover lg:bottom-1.5 lg:left-1.5 lg:size-12"
          />
        )}
        {isMaking && (
          <span className="absolute inset-x-0 bottom-0 h-1 overflow-hidden bg-black/40">
            <span
              className={`block h-full bg-accent ${test.state === 'running' ? 'w-2/3 animate-pulse' : 'w-0'}`}
            />
          </span>
        )}
      </button>
      <figcaption className="min-w-0 text-small max-lg:w-44 max-md:hidden">
        <span className="block truncate font-medium">{person.name}</span>
        <TestNotes test={test} />
      </figcaption>
    </figure>
  );
}

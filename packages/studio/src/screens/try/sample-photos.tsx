import { useQuery } from '@tanstack/react-query';
import { useGuise } from '../../app/guise-context.ts';
import { type Photo, readPhoto } from '../../photo/photo.ts';
import { errorSentence } from '../../ui/error-sentence.ts';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';

/** Photos that come with the server, for whoever has none at hand. */
export function SamplePhotos({ onPhoto }: { onPhoto(photo: Photo): void }) {
  const guise = useGuise();
  const toast = useToast();
  const { data } = useQuery({
    queryKey: ['photo-sets'],
    queryFn: () => guise.photoSets.list(),
    staleTime: 5 * 60_000,
  });
  const samples = data?.photo_sets.find((set) => set.read_only)?.first_photos ?? [];
  if (samples.length === 0) return null;
  const take = async (url: string, name: string) => {
    try {
      onPhoto(await readPhoto(await guise.readFile(url), name));
    } catch (error) {
      toast.fail(errorSentence(error));
    }
  };
  return (
    <div className="mt-2 flex flex-col items-center gap-2">
      <p className="text-small text-ink-soft">{say('or a sample')}</p>
      <div className="flex gap-2">
        {samples.slice(0, 5).map((sample) => (
          <button
            key={sample.id}
            type="button"
            aria-label={say('Use the sample {name}', { name: sample.name })}
            onClick={() => void take(sample.url, sample.name)}
            className="size-12 overflow-hidden rounded-card bg-panel"
          >
            <img src={sample.thumbnail_url} alt="" className="size-full object-cover" />
          </button>
        ))}
      </div>
    </div>
  );
}

import { base64Of } from '@guise/client/bytes.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, useNavigate } from '@tanstack/react-router';
import { useGuise } from '../../app/guise-context.ts';
import { readPhoto } from '../../photo/photo.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PictureCard } from '../../ui/picture-card.tsx';
import { Problem } from '../../ui/problem.tsx';
import { say } from '../../words/say.ts';
import { FilterGrid, FilterGridLoading } from '../filters/filter-grid.tsx';
import { UploadButton } from './upload-button.tsx';

export const Route = createLazyRoute('/shell/studio/scenes')({ component: ScenesScreen });

/** Places that the account made of its own backdrops. */
function ScenesScreen() {
  const guise = useGuise();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const list = useQuery({
    queryKey: ['scenes', 'list'],
    queryFn: ({ signal }) => guise.scenes.list({ limit: 50 }, signal),
  });
  const upload = useMutation({
    async mutationFn(file: File) {
      const { blob, name } = await readPhoto(file, file.name);
      const title = name.replace(/\.\w+$/, '').slice(0, 120) || say('My scene');
      return guise.scenes.create({ image: await base64Of(blob), title });
    },
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['scenes'] });
      await navigate({ to: '/studio/scenes/$id', params: { id } });
    },
  });
  const scenes = list.data?.scenes;
  const button = (
    <UploadButton busy={upload.isPending} onFile={(file) => upload.mutate(file)}>
      {upload.isPending ? say('Finding horizon and light…') : say('Upload a backdrop')}
    </UploadButton>
  );
  return (
    <>
      <PageHeader
        title={say('Scenes')}
        text={say('Your own places: upload a picture, and guests stand in it.')}
      >
        {scenes !== undefined && scenes.length > 0 && button}
      </PageHeader>
      <div className="flex flex-col gap-5 px-6 pb-10 max-md:px-4">
        {upload.error && <Problem error={upload.error} />}
        {list.error ? (
          <Problem error={list.error} onRetry={() => void list.refetch()} />
        ) : !scenes ? (
          <FilterGridLoading wide />
        ) : scenes.length === 0 ? (
          <EmptyState
            title={say('Make a scene of your own backdrop')}
            text={say(
              'A picture of the venue, a beach or a wall with your logo. Horizon, floor and light are found, and people stand in it at once.',
            )}
          >
            {button}
          </EmptyState>
        ) : (
          <FilterGrid wide>
            {scenes.map(({ id, title, thumbnail_url }) => (
              <PictureCard
                key={id}
                src={thumbnail_url}
                name={title}
                ratio="3/2"
                href={`/studio/scenes/${id}`}
              />
            ))}
          </FilterGrid>
        )}
      </div>
    </>
  );
}

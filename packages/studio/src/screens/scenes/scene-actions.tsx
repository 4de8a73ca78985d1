import type { OwnScene } from '@guise/contract/scenes/own-scenes.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Download, Trash2 } from 'lucide-react';
import { useGuise } from '../../app/guise-context.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { errorSentence } from '../../ui/error-sentence.ts';
import { saveBlob } from '../../ui/save-file.ts';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';

/** What can be done with a saved scene. */
export function SceneActions({ scene, isChanged }: { scene: OwnScene; isChanged: boolean }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const makeFilter = useMutation({
    mutationFn: () =>
      guise.customFilters.create({
        name: scene.settings.title,
        filter_type: 'face_swap',
        definition: { kind: 'scene', scene: scene.name },
      }),
    onSuccess: async ({ id, name }) => {
      await queries.invalidateQueries({ queryKey: ['filters'] });
      toast.tell(say('The filter {name} is saved.', { name }));
      await navigate({ to: '/studio/filters/$id', params: { id } });
    },
    onError: (error) => toast.tell(errorSentence(error)),
  });
  const exportPack = async () =>
    saveBlob(await guise.scenes.readPack(scene.id), `${scene.settings.title}.tar`);
  const remove = async () => {
    await guise.scenes.remove(scene.id, scene.filters.length > 0);
    await queries.invalidateQueries({ queryKey: ['scenes', 'list'] });
    await navigate({ to: '/studio/scenes', ignoreBlocker: true });
  };
  return (
    <>
      <IconButton label={say('Export as a pack')} onClick={() => void exportPack()}>
        <Download size={18} aria-hidden />
      </IconButton>
      <Confirm
        trigger={
          <IconButton label={say('Delete the scene')}>
            <Trash2 size={18} aria-hidden />
          </IconButton>
        }
        title={say('Delete {name}?', { name: scene.settings.title })}
        text={
          scene.filters.length === 0
            ? say('Its backdrop is deleted too. Results of jobs are kept.')
            : say('These filters make no pictures any more: {names}.', {
                names: scene.filters.map(({ name }) => name).join(', '),
              })
        }
        action={scene.filters.length === 0 ? say('Delete') : say('Delete anyway')}
        onConfirm={remove}
      />
      <Button
        busy={makeFilter.isPending}
        disabled={isChanged}
        title={isChanged ? say('Save the scene first.') : undefined}
        onClick={() => makeFilter.mutate()}
      >
        {say('Make a filter of it')}
      </Button>
    </>
  );
}

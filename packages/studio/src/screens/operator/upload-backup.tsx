import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/problem.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { say } from '../../words/say.ts';

const backupName = /guise-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.tar$/;

/** Takes a backup of another machine, to be restored here. */
export function UploadBackup({ queryKey }: { queryKey: readonly string[] }) {
  const guise = useGuise();
  const queries = useQueryClient();
  const { tell } = useToast();
  const input = useRef<HTMLInputElement>(null);
  const [share, setShare] = useState(0);
  const upload = useMutation({
    mutationFn: (file: File) => guise.operator.uploadBackup(nameFor(file), file, { onProgress: setShare }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey });
      tell(say('The backup is here. “Restore” puts it in place of this installation.'));
    },
  });
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".tar,application/x-tar"
        aria-label={say('Backup to upload')}
        className="hidden"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          setShare(0);
          if (file) upload.mutate(file);
        }}
      />
      <Button
        busy={upload.isPending}
        icon={<Upload size={17} aria-hidden />}
        onClick={() => input.current?.click()}
      >
        {say('Upload a backup')}
      </Button>
      {upload.isPending && (
        <div className="min-w-56 flex-1 sm:max-w-sm">
          <ProgressBar label={say('Uploading the backup')} share={share} />
        </div>
      )}
      {upload.error && <Problem error={upload.error} />}
    </>
  );
}

/** The list goes by the time in the name, which browsers and people change. */
function nameFor(file: File): string {
  if (backupName.test(file.name)) return file.name.match(backupName)![0];
  const time = new Date(file.lastModified).toISOString().slice(0, 19).replaceAll(':', '-');
  return `guise-${time}.tar`;
}

import type { Backup, BackupList } from '@guise/contract/operator/operator.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Archive, Download } from 'lucide-react';
import { useGuise } from '../../app/guise-context.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { fullTime } from '../../ui/format-time.ts';
import { Problem } from '../../ui/problem.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { saveBlob } from '../../ui/save-file.ts';
import { numberText } from '../../words/language.ts';
import { say, sayParts } from '../../words/say.ts';
import { sayOfServer } from '../../words/say-of-server.ts';
import { Restarting } from './restarting.tsx';
import { UploadBackup } from './upload-backup.tsx';

const queryKey = ['backups'];
const readAgainMs = 1000;

/** Backups on the server's machine: make one, download it, and how often one is made. */
export function BackupsPart() {
  const guise = useGuise();
  const queries = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: () => guise.operator.backups(),
    refetchInterval: ({ state }) => (state.data?.running ? readAgainMs : false),
  });
  const start = useMutation({
    mutationFn: () => guise.operator.startBackup(),
    onSuccess: (list) => queries.setQueryData(queryKey, list),
  });
  const restore = useMutation({ mutationFn: (name: string) => guise.operator.restoreBackup(name) });
  if (restore.isSuccess)
    return (
      <Restarting
        label={say('Restoring the backup. The server stops for it and starts again.')}
        signInToken={restore.data.sign_in_token}
      />
    );
  if (error) return <Problem error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  if (data.unavailable)
    return <EmptyState title={say('Backups are made elsewhere')} text={sayOfServer(data.unavailable)} />;
  return (
    <section aria-label={say('Backups')} className="flex max-w-7xl flex-col gap-5">
      <WhatBackupsAre list={data} />
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <Button
          kind="primary"
          busy={start.isPending || data.running !== null}
          icon={<Archive size={17} aria-hidden />}
          onClick={() => start.mutate()}
        >
          {say('Back up now')}
        </Button>
        <UploadBackup queryKey={queryKey} />
        {data.running && (
          <div className="min-w-56 flex-1 sm:max-w-sm">
            <ProgressBar label={say('Making a backup')} share={shareOf(data.running)} />
          </div>
        )}
      </div>
      {start.error && <Problem error={start.error} />}
      {data.restored && (
        <p role="status" className="text-good">
          {say('Everything is as it was on {time}.', { time: fullTime(data.restored) })}
        </p>
      )}
      {data.last_error && !data.running && (
        <p role="alert" className="text-lost">
          {say('It did not work: {error}', { error: sayOfServer(data.last_error) })}
        </p>
      )}
      {data.backups.length > 0 ? (
        <ul aria-label={say('Backups')} className="border-t">
          {data.backups.map((backup) => (
            <BackupRow
              key={backup.name}
              backup={backup}
              onRestore={data.can_restore ? () => restore.mutateAsync(backup.name) : undefined}
            />
          ))}
        </ul>
      ) : (
        <p className="text-ink-soft">{say('There is no backup yet.')}</p>
      )}
      <WhereBackupsAre list={data} />
    </section>
  );
}

const WhatBackupsAre = ({ list }: { list: BackupList }) => (
  <p className="max-w-2xl text-ink-soft">
    {say(
      'A backup holds all records, photos, pictures, packs and models as they are at one moment; the server goes on working meanwhile. Keep it as safe as the photos in it.',
    )}{' '}
    {scheduleOf(list)}{' '}
    <Link to="/studio/operator/{-$part}" params={{ part: 'settings' }} className="underline">
      {say('Change that in the settings')}
    </Link>
    .
  </p>
);

const WhereBackupsAre = ({ list: { folder, can_restore } }: { list: BackupList }) => (
  <p className="text-small break-words text-ink-soft">
    {sayParts('Folder on the server: {folder}. Backups that you copy there are listed here, too.', {
      folder: <code className="font-mono">{folder}</code>,
    })}
    {!can_restore && (
      <>
        {' '}
        {sayParts('To restore one, stop the server and run {command}.', {
          command: <code className="font-mono">guise restore FILE</code>,
        })}
      </>
    )}
  </p>
);

interface BackupRowProps {
  backup: Backup;
  /** Absent where the server cannot restore it while it runs. */
  onRestore: (() => Promise<unknown>) | undefined;
}

function BackupRow({ backup, onRestore }: BackupRowProps) {
  const guise = useGuise();
  const queries = useQueryClient();
  const remove = async () => {
    await guise.operator.removeBackup(backup.name);
    await queries.invalidateQueries({ queryKey });
  };
  const download = useMutation({
    mutationFn: async () => {
      const response = await guise.operator.openBackup(backup.name);
      saveBlob(await response.blob(), backup.name);
    },
  });
  const time = fullTime(backup.made_at);
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium">{time}</p>
        <p className="text-small break-all text-ink-soft">
          {sizeOf(backup.bytes)}, {backup.name}
        </p>
      </div>
      <Button
        busy={download.isPending}
        icon={<Download size={17} aria-hidden />}
        aria-label={say('Download the backup of {time}', { time })}
        onClick={() => download.mutate()}
      >
        {say('Download')}
      </Button>
      {onRestore && (
        <Confirm
          trigger={
            <Button aria-label={say('Restore the backup of {time}', { time })}>{say('Restore')}</Button>
          }
          title={say('Go back to this backup?')}
          text={say(
            'Everything becomes as it was on {time}: accounts, keys, credits, filters, events and pictures. What there is now moves to a folder beside it on the server. Running jobs stop, and everybody else has to sign in again who was not signed in then.',
            { time },
          )}
          action={say('Restore')}
          onConfirm={onRestore}
        />
      )}
      <Confirm
        trigger={<Button aria-label={say('Delete the backup of {time}', { time })}>{say('Delete')}</Button>}
        title={say('Delete this backup?')}
        text={say('The backup of {time} is removed from the server.', { time })}
        action={say('Delete')}
        onConfirm={remove}
      />
      {download.error && <Problem error={download.error} />}
    </li>
  );
}

function scheduleOf({ every_hours, kept }: BackupList): string {
  if (every_hours === 0) return say('None is made by itself.');
  if (every_hours === 24) return say('One is made every day, and the newest {kept} are kept.', { kept });
  if (every_hours === 1) return say('One is made every hour, and the newest {kept} are kept.', { kept });
  return say('One is made every {hours} hours, and the newest {kept} are kept.', {
    hours: every_hours,
    kept,
  });
}

const shareOf = ({ done, total }: NonNullable<BackupList['running']>) => (total === 0 ? null : done / total);

function sizeOf(bytes: number): string {
  return bytes < 1e9
    ? `${numberText(bytes / 1e6, bytes < 1e7 ? 1 : 0)} MB`
    : `${numberText(bytes / 1e9, 1)} GB`;
}

import { type PrintItem, type PrintLayout, paperSizes } from '@guise/contract/events/print-template.ts';
import { Trash2 } from 'lucide-react';
import { type PointerEvent, useRef, useState } from 'react';
import { useFormContext } from 'react-hook-form';
import { Button, IconButton } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { say } from '../../../words/say.ts';
import type { EventFields } from './event-fields.ts';

const papers: { value: PrintLayout; label: string }[] = [
  { value: '4x6', label: say('4 × 6 in') },
  { value: 'two_strips', label: say('Two strips on 4 × 6 in') },
  { value: '2x6', label: say('2 × 6 in') },
  { value: 'square', label: say('Square, 4 × 4 in') },
  { value: 'a6', label: 'A6' },
  { value: 'a5', label: 'A5' },
];
const names = { picture: say('Picture'), text: say('Text'), code: say('QR code') } as const;
const addWords = { picture: say('Add picture'), text: say('Add text'), code: say('Add QR code') } as const;

/** Where a new template begins: a picture, the name of the event below it, and the code. */
const firstItems: PrintItem[] = [
  { kind: 'picture', number: 1, x: 0.04, y: 0.03, width: 0.92, height: 0.77 },
  { kind: 'text', text: '{name}', x: 0.05, y: 0.82, width: 0.62, height: 0.08 },
  { kind: 'text', text: '{date}', x: 0.05, y: 0.91, width: 0.62, height: 0.05 },
  { kind: 'code', x: 0.7, y: 0.82, width: 0.25, height: 0.15 },
];
const newItems: Record<PrintItem['kind'], PrintItem> = {
  picture: { kind: 'picture', number: 1, x: 0.3, y: 0.3, width: 0.4, height: 0.3 },
  text: { kind: 'text', text: '{name}', x: 0.1, y: 0.85, width: 0.8, height: 0.08 },
  code: { kind: 'code', x: 0.7, y: 0.8, width: 0.25, height: 0.17 },
};

const rounded = (value: number) => Math.round(value * 1000) / 1000;
const within = (value: number, least: number, most: number) =>
  rounded(Math.min(most, Math.max(least, value)));

const isOnlyPicture = (item: PrintItem, items: readonly PrintItem[]) =>
  item.kind === 'picture' && items.filter(({ kind }) => kind === 'picture').length === 1;

/** Puts pictures, texts and the code anywhere on the paper, by dragging them over the print that the server makes. */
export function PrintDesigner({ preview }: { preview: string | null }) {
  const { watch, setValue } = useFormContext<EventFields>();
  const template = watch('template');
  const [chosen, setChosen] = useState(0);
  const change = (next: EventFields['template']) => setValue('template', next, { shouldDirty: true });
  if (!template)
    return (
      <Button className="self-start" onClick={() => change({ paper: '4x6', lies: false, items: firstItems })}>
        {say('Design the print yourself')}
      </Button>
    );
  const { items } = template;
  const setItem = (at: number, part: object) =>
    change({
      ...template,
      items: items.map((item, i) => (i === at ? ({ ...item, ...part } as PrintItem) : item)),
    });
  const size = paperSizes[template.paper];
  const shape = template.lies ? size.height / size.width : size.width / size.height;
  const item = items[chosen];
  return (
    <div className="grid grid-cols-[minmax(0,20rem)_minmax(0,1fr)] items-start gap-6 max-lg:grid-cols-1">
      <div
        className="relative w-full touch-none overflow-hidden border bg-panel bg-cover bg-left select-none"
        style={{
          aspectRatio: shape,
          ...(preview && { backgroundImage: `url(${preview})` }),
          backgroundSize: template.paper === 'two_strips' ? '200% 100%' : '100% 100%',
        }}
      >
        {items.map((one, i) => (
          <DraggedItem
            // biome-ignore lint/suspicious/noArrayIndexKey: items have no ids, and their places are what changes.
            key={i}
            item={one}
            isChosen={i === chosen}
            onChoose={() => setChosen(i)}
            onChange={(part) => setItem(i, part)}
          />
        ))}
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <SelectField
          label={say('Paper')}
          options={papers}
          value={template.paper}
          onChange={({ target }) => change({ ...template, paper: target.value as PrintLayout })}
        />
        <div className="flex flex-wrap gap-2">
          {(Object.keys(newItems) as PrintItem['kind'][]).map((kind) => (
            <Button
              key={kind}
              disabled={items.length >= 20}
              onClick={() => {
                change({ ...template, items: [...items, newItems[kind]] });
                setChosen(items.length);
              }}
            >
              {addWords[kind]}
            </Button>
          ))}
        </div>
        {item && (
          <ItemPanel
            item={item}
            isNeeded={isOnlyPicture(item, items)}
            onChange={(part) => setItem(chosen, part)}
            onRemove={() => {
              change({ ...template, items: items.filter((_, i) => i !== chosen) });
              setChosen(0);
            }}
          />
        )}
        <Button kind="quiet" className="self-start" onClick={() => change(null)}>
          {say('Use the usual layout')}
        </Button>
      </div>
    </div>
  );
}

interface ItemPanelProps {
  item: PrintItem;
  /** A print has at least one picture. */
  isNeeded: boolean;
  onChange(part: object): void;
  onRemove(): void;
}

/** What can be set of an item beside its place. */
function ItemPanel({ item, isNeeded, onChange, onRemove }: ItemPanelProps) {
  return (
    <div className="flex flex-col gap-3 rounded-card border p-3">
      <div className="flex items-center justify-between">
        <p className="font-medium">{names[item.kind]}</p>
        <IconButton
          label={say('Remove {name}', { name: names[item.kind] })}
          disabled={isNeeded}
          onClick={onRemove}
        >
          <Trash2 size={16} aria-hidden />
        </IconButton>
      </div>
      {item.kind === 'picture' && (
        <SelectField
          label={say('Which picture of the guest')}
          options={['1', '2', '3', '4'].map((value) => ({ value, label: value }))}
          value={String(item.number)}
          onChange={({ target }) => onChange({ number: Number(target.value) })}
        />
      )}
      {item.kind === 'text' && (
        <TextField
          label={say('Text')}
          hint={say('{name} and {date} are those of the event, {given} is what the guest gave as “name”.', {
            name: '{name}',
            date: '{date}',
            given: '{guest.name}',
          })}
          maxLength={200}
          value={item.text}
          onChange={({ target }) => target.value !== '' && onChange({ text: target.value })}
        />
      )}
    </div>
  );
}

type Box = Pick<PrintItem, 'x' | 'y' | 'width' | 'height'>;

/** A box that was moved or sized by shares of the paper, within it. */
function movedBox(from: Box, dx: number, dy: number, sizes: boolean): Box {
  const { x, y, width, height } = from;
  return sizes
    ? { x, y, width: within(width + dx, 0.05, 1 - x), height: within(height + dy, 0.03, 1 - y) }
    : { x: within(x + dx, 0, 1 - width), y: within(y + dy, 0, 1 - height), width, height };
}

const keySteps: Readonly<Record<string, [number, number]>> = {
  ArrowLeft: [-0.01, 0],
  ArrowRight: [0.01, 0],
  ArrowUp: [0, -0.01],
  ArrowDown: [0, 0.01],
};

interface DraggedItemProps {
  item: PrintItem;
  isChosen: boolean;
  onChoose(): void;
  onChange(box: Box): void;
}

/** An outline that is moved by dragging, by its corner sized, and by the arrow keys both. */
function DraggedItem({ item, isChosen, onChoose, onChange }: DraggedItemProps) {
  const start = useRef<{ x: number; y: number; item: PrintItem; sizes: boolean }>(null);
  const { x, y, width, height } = item;
  const grab = (event: PointerEvent<HTMLElement>, sizes: boolean) => {
    event.stopPropagation();
    onChoose();
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, y: event.clientY, item, sizes };
  };
  const drag = (event: PointerEvent<HTMLElement>) => {
    const paper = event.currentTarget.closest('.relative')?.getBoundingClientRect();
    const from = start.current;
    if (!from || !paper) return;
    const [dx, dy] = [(event.clientX - from.x) / paper.width, (event.clientY - from.y) / paper.height];
    onChange(movedBox(from.item, dx, dy, from.sizes));
  };
  const drop = () => {
    start.current = null;
  };
  return (
    <>
      <button
        type="button"
        aria-label={say('{name}: drag, or use the arrow keys; with Shift the size changes', {
          name: names[item.kind],
        })}
        aria-pressed={isChosen}
        className={`absolute cursor-move border-2 ${isChosen ? 'border-accent bg-accent/10' : 'border-dashed border-accent/60'}`}
        style={{
          left: `${x * 100}%`,
          top: `${y * 100}%`,
          width: `${width * 100}%`,
          height: `${height * 100}%`,
        }}
        onPointerDown={(event) => grab(event, false)}
        onPointerMove={drag}
        onPointerUp={drop}
        onKeyDown={(event) => {
          const step = keySteps[event.key];
          if (!step) return;
          event.preventDefault();
          onChoose();
          onChange(movedBox(item, step[0], step[1], event.shiftKey));
        }}
      />
      {isChosen && (
        <span
          aria-hidden
          className="absolute size-4 -translate-x-1/2 -translate-y-1/2 cursor-nwse-resize rounded-full border-2 border-white bg-accent"
          style={{ left: `${(x + width) * 100}%`, top: `${(y + height) * 100}%` }}
          onPointerDown={(event) => grab(event, true)}
          onPointerMove={drag}
          onPointerUp={drop}
        />
      )}
    </>
  );
}

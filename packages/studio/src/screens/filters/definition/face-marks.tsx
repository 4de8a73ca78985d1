import type { TemplateCheck } from '@guise/contract/definition-checks.ts';

/** Frames around the faces of a photo: the one that is replaced in amber, with what is wrong with it. */
export function FaceMarks({ check }: { check: TemplateCheck }) {
  return check.faces.map((face, at) => (
    <div
      key={`${face.x} ${face.y}`}
      className={`pointer-events-none absolute rounded-[4px] border-2 ${at === 0 ? 'border-accent' : 'border-white/70'}`}
      style={{
        left: share(face.x, check.width),
        top: share(face.y, check.height),
        width: share(face.width, check.width),
        height: share(face.height, check.height),
      }}
    >
      {face.warnings.length > 0 && (
        <span className="absolute top-full left-0 mt-1 rounded-[4px] bg-black/75 px-1.5 py-0.5 text-small whitespace-nowrap text-white">
          {face.warnings.join(', ')}
        </span>
      )}
    </div>
  ));
}

const share = (part: number, whole: number) => `${(100 * part) / whole}%`;

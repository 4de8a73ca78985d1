import type { TemplateCheck } from '@guise/contract/definition-checks.ts';
import { sayOfServer } from '../../../words/say-of-server.ts';

/** Frames around the faces of a photo, with what is wrong with each. */
export function FaceMarks({ check }: { check: TemplateCheck }) {
  return check.faces.map((face) => (
    <div
      key={`${face.x} ${face.y}`}
      className="pointer-events-none absolute rounded-[4px] border-2 border-white outline-1 outline-black/50"
      style={{
        left: share(face.x, check.width),
        top: share(face.y, check.height),
        width: share(face.width, check.width),
        height: share(face.height, check.height),
      }}
    >
      {face.warnings.length > 0 && (
        <span className="absolute top-full left-0 mt-1 rounded-[4px] bg-black/75 px-1.5 py-0.5 text-small whitespace-nowrap text-white">
          {face.warnings.map(sayOfServer).join(', ')}
        </span>
      )}
    </div>
  ));
}

const share = (part: number, whole: number) => `${(100 * part) / whole}%`;

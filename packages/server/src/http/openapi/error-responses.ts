import { ErrorBody } from '@guise/contract/common.ts';
import { type ErrorCode, errorCodes } from '@guise/contract/error-codes.ts';
import { families } from '@guise/contract/families/families.ts';
import { errorShapeOf } from '../other-clients/error-shapes.ts';
import type { Route } from '../route.ts';
import type { SchemaComponents } from './schema-components.ts';

/** The codes that tell what was not found, by the beginning of a path; the first that fits. */
const notFoundCodes: readonly (readonly [path: RegExp, code: ErrorCode])[] = [
  [/^\/(api\/alias|v1\/aliases)\//, 'ALIAS_NOT_FOUND'],
  [/\{job_id\}|^\/v1\/(booth\/)?jobs\/\{/, 'JOB_NOT_FOUND'],
  [/my-custom-filters\/\{/, 'FILTER_NOT_FOUND'],
  [/^\/v1\/keys\//, 'KEY_NOT_FOUND'],
  [/^\/v1\/sessions\/\{/, 'SESSION_NOT_FOUND'],
  [/^\/v1\/webhook_deliveries\//, 'WEBHOOK_DELIVERY_NOT_FOUND'],
  [/^\/v1\/webhook_endpoints\/\{/, 'WEBHOOK_ENDPOINT_NOT_FOUND'],
  [/^\/v1\/photo_sets\//, 'PHOTO_SET_NOT_FOUND'],
  [/^\/v1\/scenes\/\{/, 'SCENE_NOT_FOUND'],
  [/^\/v1\/accounts\//, 'ACCOUNT_NOT_FOUND'],
  [/^\/v1\/packs\//, 'PACK_NOT_FOUND'],
  [/^\/v1\/qa_runs\/\{/, 'QA_RUN_NOT_FOUND'],
  [/^\/v1\/quick_test/, 'QUICK_TEST_NOT_FOUND'],
  [/^\/v1\/events\/\{/, 'EVENT_NOT_FOUND'],
  [/^\/v1\/guest\b/, 'GUEST_NOT_FOUND'],
  [/^\/v1\/wall/, 'WALL_NOT_FOUND'],
  [/^\/v1\/gallery/, 'GALLERY_NOT_FOUND'],
  [/^\/(files|previews|samples)\//, 'FILE_NOT_FOUND'],
  [/\{/, 'NOT_FOUND'],
];

/** What may be wrong with any request of an endpoint, told from its row. Single endpoints have further codes. */
function errorCodesOf(row: Route): ErrorCode[] {
  const family = families.find(({ run }) => row.startsJob && run === row.path);
  const notFound = notFoundCodes.find(([path]) => path.test(row.path))?.[1];
  const codes: (ErrorCode | false | undefined)[] = [
    row.bodyKind === 'json' && 'INVALID_JSON',
    family && 'INVALID_IMAGE',
    (row.access === 'account' || row.access === 'booth' || row.path === '/metrics' || row.checkHeaders) &&
      'UNAUTHORIZED',
    row.startsJob && 'INSUFFICIENT_CREDITS',
    row.scopes.length > 0 && 'SCOPE_MISSING',
    row.access === 'booth' && 'EVENT_KEY_NEEDED',
    notFound,
    (row.startsJob || isCreation(row)) && 'IDEMPOTENCY_CONFLICT',
    row.path.includes('{job_id}') && 'JOB_EXPIRED',
    // What is marked as ready is a version that somebody has seen.
    (row.takesIfMatch || row.path.endsWith('}/ready')) && 'CHANGED_ELSEWHERE',
    (row.body !== undefined || row.bodyKind === 'digest') && 'PAYLOAD_TOO_LARGE',
    (row.body ?? row.query) !== undefined && 'VALIDATION_ERROR',
    ...(family?.filter
      ? (['FILTER_NOT_FOUND', 'FILTER_BLOCKED', 'FILTER_TYPE_MISMATCH', 'WORKFLOW_FETCH_FAILED'] as const)
      : []),
    family?.name === 'face_swap_v6' && 'INVALID_QUALITY_MODE',
    ...(family?.output === 'video' ? (['INVALID_VIDEO_MODEL', 'INVALID_DURATION_FOR_MODEL'] as const) : []),
    family?.name === 'single_frame_video' && 'INVALID_ASPECT_RATIO_FOR_MODEL',
    family && 'URL_NOT_ALLOWED',
    (row.counted ?? row.countedAs ?? row.countedPerCredential) !== undefined && 'RATE_LIMITED',
    row.startsJob && 'QUEUE_FULL',
  ];
  return codes.filter((code) => typeof code === 'string');
}

/** Whether a request makes something, and can be repeated with its `Idempotency-Key`. */
export const isCreation = ({ method, success, access }: Route): boolean =>
  method === 'POST' && success.status === 201 && access === 'account';

/** The errors of an endpoint by their status, and all others, which have the same shape. */
export function errorResponses(row: Route, schemas: SchemaComponents): Record<string, object> {
  const shape = errorShapeOf(row.path);
  const schema = schemas.use(shape?.schema ?? ErrorBody, 'output');
  const response = (description: string) => ({ description, content: { 'application/json': { schema } } });
  const statusOf = (code: ErrorCode) =>
    shape?.statusOf(code, errorCodes[code].status) ?? errorCodes[code].status;
  const byStatus = Map.groupBy(errorCodesOf(row), statusOf);
  return {
    ...Object.fromEntries([...byStatus].map(([status, codes]) => [status, response(codes.join(', '))])),
    default: response('Any other error'),
  };
}

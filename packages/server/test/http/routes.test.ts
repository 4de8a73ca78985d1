import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routes } from '../../src/http/routes.ts';

/** A new endpoint, or another access to one, is a decision that is made here too. */
const table = `
POST   /v6/run/face_swap                              account json
POST   /v5/run/face_swap                              account json
POST   /v1/run/faceswap                               account json
POST   /v2/run/self-prompt                            account json
POST   /v5/run/multi_swap                             account json
POST   /v5/run/multi_swap_self_prompt                 account json
POST   /v1/run/stylized_multi_swap                    account json
POST   /v1/run/stylized_multi_swap_self_prompt        account json
POST   /v4/multi_swap_styles/                         account json
POST   /v1/run/single_frame_video                     account json
POST   /v1/run/first_last_frame_video                 account json
POST   /v6/status/{job_id}                            account none
POST   /v5/status/{job_id}                            account none
POST   /v2/status/{job_id}                            account none
POST   /v5/status_multi_swap/{job_id}                 account none
POST   /v1/status_stylized_multi_swap/{job_id}        account none
POST   /v1/status_multi_swap/{job_id}                 account none
POST   /v1/status/single_frame_video/{job_id}         account none
GET    /v1/filters/                                   account none
GET    /v5/filters                                    account none
GET    /v6/filters                                    account none
GET    /v1/realistic_multiswap_styles/                account none
GET    /v1/stylized_multiswap_styles/                 account none
GET    /v4/multi_swap_styles/                         account none
GET    /v1/users/me/my-custom-filters                 account none
POST   /v1/users/me/my-custom-filters                 account json
GET    /v1/users/me/my-custom-filters/{id}            account none
PATCH  /v1/users/me/my-custom-filters/{id}            account json
POST   /v1/users/me/my-custom-filters/{id}/test       account none
DELETE /v1/users/me/my-custom-filters/{id}            account none
GET    /v1/users/me/my-custom-filters/{id}/versions   account none
POST   /v1/users/me/my-custom-filters/{id}/versions/{version}/restore account none
POST   /v1/users/me/my-custom-filters/{id}/duplicate  account json
GET    /v1/users/me/my-custom-filters/{id}/export     account none
GET    /api/alias/                                    account none
GET    /my-aliases/                                   account none
POST   /api/alias/                                    account json
GET    /api/alias/{id}/                               account none
GET    /v1/aliases/{id}                               account none
PATCH  /api/alias/{id}/                               account json
POST   /v1/aliases/{id}/undo                          account none
POST   /v1/aliases/{id}/safe                          account none
DELETE /api/alias/{id}/                               account none
GET    /v1/jobs                                       account none
GET    /v1/jobs/{id}/events                           account none
POST   /v1/jobs/{id}/cancel                           account none
DELETE /v1/jobs/{id}                                  account none
GET    /v1/jobs/{id}                                  account none
POST   /v1/job_archives                               account json
POST   /token                                         public  form
GET    /v1/users/me/credits                           account none
GET    /v1/users/me                                   account none
POST   /v1/sessions                                   public  json
GET    /v1/sessions                                   account none
DELETE /v1/sessions/{id}                              account none
DELETE /v1/sessions                                   account none
GET    /v1/keys                                       account none
POST   /v1/keys                                       account json
PATCH  /v1/keys/{id}                                  account json
DELETE /v1/keys/{id}                                  account none
GET    /v1/users/me/webhook-secret                    account none
GET    /v1/webhook_secret                             account none
POST   /v1/webhook_secret/roll                        account none
GET    /v1/webhook_deliveries                         account none
GET    /v1/webhook_deliveries/{id}                    account none
POST   /v1/webhook_deliveries/{id}/replay             account none
GET    /v1/webhook_endpoints                          account none
POST   /v1/webhook_endpoints/{id}/enable              account none
GET    /v1/photo_sets                                 account none
POST   /v1/photo_sets                                 account json
GET    /v1/photo_sets/{id}                            account none
PATCH  /v1/photo_sets/{id}                            account json
DELETE /v1/photo_sets/{id}                            account none
POST   /v1/photo_sets/{id}/photos                     account json
DELETE /v1/photo_sets/{id}/photos/{photo_id}          account none
GET    /health                                        public  none
GET    /ready                                         public  none
GET    /metrics                                       public  none
GET    /docs                                          public  none
GET    /docs/{file}                                   public  none
GET    /files/*                                       public  none
GET    /previews/{catalog}/{file}                     public  none
GET    /samples/{file}                                public  none
GET    /openapi.json                                  public  none
`;

test('the table of routes is this, with the access and the kind of body of each', () => {
  const lines = routes.map(({ method, path, access, bodyKind }) =>
    [method.padEnd(6), path.padEnd(46), access.padEnd(7), bodyKind].join(' '),
  );
  assert.deepEqual(lines, table.trim().split('\n'));
});

import { EngineChange, EngineList, EngineTest, NewEngine } from '@guise/contract/operator.ts';
import { toManageOthers } from '../../accounts/authority.ts';
import { json, none, ok, type Route, route } from '../route.ts';

const own = { scopes: ['operator'], tag: 'Operator' } as const;

/** What makes the jobs of the installation. */
export const engineRoutes: Route[] = [
  {
    ...none,
    ...own,
    method: 'GET',
    path: '/v1/engines',
    operation: 'listEngines',
    summary: 'Engines, whether their servers answer, what those lack and what they did not make last',
    success: ok(EngineList),
    handle: (parts) => parts.installation.engines(),
  },
  route({
    ...json,
    ...own,
    authority: toManageOthers,
    method: 'POST',
    path: '/v1/engines/test',
    operation: 'testEngine',
    summary: 'Ask an engine that is not saved whether it answers, and what it would make; no photo is sent',
    body: NewEngine,
    success: ok(EngineTest),
    handle: (parts, request) => parts.installation.testEngine(request.body),
  }),
  route({
    ...json,
    ...own,
    authority: toManageOthers,
    method: 'POST',
    path: '/v1/engines',
    operation: 'addEngine',
    summary: 'Add an engine that answers; it gets jobs from the next start on',
    body: NewEngine,
    success: { status: 201, shape: EngineList },
    handle: (parts, request) => parts.installation.addEngine(request.body),
  }),
  route({
    ...json,
    ...own,
    authority: toManageOthers,
    method: 'PATCH',
    path: '/v1/engines/{name}',
    operation: 'changeEngine',
    summary: 'Pause an engine, which gets no new jobs then, or resume it; at once, for all workers',
    body: EngineChange,
    success: ok(EngineList),
    handle: (parts, request) => parts.installation.changeEngine(request.params.name ?? '', request.body),
  }),
  {
    ...none,
    ...own,
    authority: toManageOthers,
    method: 'DELETE',
    path: '/v1/engines/{name}',
    operation: 'removeEngine',
    summary: 'Remove an engine that was added here, with its key; it gets no jobs from the next start on',
    success: { status: 204 },
    handle: (parts, request) => parts.installation.removeEngine(request.params.name ?? ''),
  },
];

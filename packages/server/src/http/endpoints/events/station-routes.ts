import { NewStationReport, StationAnswer, StationList } from '@guise/contract/events/stations.ts';
import { noteStation, readStations } from '../../../events/event-stations.ts';
import { callerOf, eventOfBooth, idOf } from '../../request.ts';
import { json, none, ok, type Route, route } from '../../route.ts';

export const stationRoutes: Route[] = [
  {
    ...none,
    scopes: ['read'],
    tag: 'Events',
    method: 'GET',
    path: '/v1/events/{id}/stations',
    operation: 'listStations',
    summary: 'Booths of an event with their last sign of life, and how far its jobs are',
    success: ok(StationList),
    handle: (parts, request) =>
      readStations(parts.db, { id: idOf(request), account_id: callerOf(request).id }),
  },
  route({
    ...json,
    access: 'booth',
    scopes: [],
    tag: 'Booth',
    method: 'POST',
    path: '/v1/booth/station',
    operation: 'reportStation',
    summary: 'A booth’s sign of life; the answer says how the event is',
    body: NewStationReport,
    success: ok(StationAnswer),
    handle: (parts, request) =>
      noteStation(parts.db, eventOfBooth(request), callerOf(request).key_id, request.body),
  }),
];

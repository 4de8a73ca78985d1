import { configFor } from '../web/vite-config.ts';

export default configFor('/studio/');

import { createServer } from 'node:http';
import pg from 'pg';

/** What a status poll cannot do without: node:http and one prepared select. */
const [databaseUrl, id] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl!, max: 10 });
const query = {
  name: 'status',
  text: 'select id, account_id, family, state, progress, result_key, result_notes, error, created_at, expires_at from jobs where id = $1',
  values: [id],
};

const server = createServer(async (_, response) => {
  const { rows } = await pool.query(query);
  const text = JSON.stringify(rows[0]);
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') process.send?.({ url: `http://127.0.0.1:${address.port}` });
});
process.on('disconnect', () => process.exit(0));

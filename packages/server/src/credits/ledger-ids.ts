import { createCipheriv, createDecipheriv, createHmac, hash } from 'node:crypto';

/** Ids of ledger entries as accounts see them. Those of the records count the entries of all accounts. */
export interface LedgerIds {
  write(accountId: string, id: number): string;
  /** Undefined for what is no id of an entry of this account. */
  read(accountId: string, text: string): number | undefined;
}

const shape = /^[0-9a-f]{32}$/;

/** One block of AES for each: the account, and the id of the record. */
export function createLedgerIds(secret: string): LedgerIds {
  const key = createHmac('sha256', secret).update('ledger ids').digest().subarray(0, 16);
  const accountBytes = (accountId: string) => hash('sha256', accountId, 'buffer').subarray(0, 8);
  return {
    write(accountId, id) {
      const block = Buffer.concat([accountBytes(accountId), Buffer.alloc(8)]);
      block.writeBigUInt64BE(BigInt(id), 8);
      return createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(block).toString('hex');
    },
    read(accountId, text) {
      if (!shape.test(text)) return undefined;
      const cipher = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false);
      const block = cipher.update(Buffer.from(text, 'hex'));
      if (!block.subarray(0, 8).equals(accountBytes(accountId))) return undefined;
      return Number(block.readBigUInt64BE(8));
    },
  };
}

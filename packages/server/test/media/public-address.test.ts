import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayConnectTo } from '../../src/media/public-address.ts';

const open = [
  ...['1.1.1.1', '8.8.8.8', '93.184.215.14', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ...['168.63.129.15', '168.63.129.17', '169.253.255.255', '172.15.255.255', '172.32.0.0', '192.0.1.0'],
  ...['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '223.255.255.255', '9.255.255.255'],
  ...['2606:4700:4700::1111', '2001:4860:4860::8888', '2001:200::1', '2a00:1450:4001:81b::200e'],
  '64:ff9b::808:808',
];

const privateOnes = [
  ...['10.0.0.0', '10.255.255.255', '127.0.0.1', '127.255.255.255', '172.16.0.0', '172.31.255.255'],
  ...['192.168.0.0', '192.168.255.255', '::1', 'fc00::1', 'fd12:3456::1'],
];

const special = [
  ...['0.0.0.0', '0.255.255.255', '100.64.0.0', '100.100.100.200', '100.127.255.255', '168.63.129.16'],
  ...[
    '169.254.0.0',
    '169.254.169.254',
    '192.0.0.0',
    '192.0.0.192',
    '192.0.2.1',
    '192.31.196.1',
    '192.52.193.1',
  ],
  ...[
    '192.88.99.1',
    '192.175.48.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
  ],
  ...['239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::2', '::7f00:1', '::127.0.0.1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:0:8.8.8.8'],
  ...['64:ff9b::a00:1', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::808:808', '100::1', '2001::1'],
  ...['2001:2::1', '2001:10::1', '2001:20::1', '2001:db8::1', '2002:7f00:1::', '2002:808:808::', '3fff::1'],
  ...[
    '2620:4f:8000::1',
    '5f00::1',
    '4000::1',
    'fe80::1',
    'fe80::1%lo',
    'febf::1',
    'fec0::1',
    'ff02::1',
    'ff0e::1',
  ],
  ...['fd00:ec2::254', 'fd20:ce::254'],
  ...['', 'localhost', '127.0.0.1.', '[::1]', 'x'],
];

test('plain global addresses may be connected to', () => {
  for (const address of open) assert.equal(mayConnectTo(address), true, address);
});

test('private and loopback addresses may be connected to only when the operator allows it', () => {
  for (const address of privateOnes) {
    assert.equal(mayConnectTo(address), false, address);
    assert.equal(mayConnectTo(address, true), true, address);
  }
});

test('every other special address, and what is not an address, is refused in both cases', () => {
  for (const address of special) {
    assert.equal(mayConnectTo(address), false, address);
    assert.equal(mayConnectTo(address, true), false, address);
  }
});

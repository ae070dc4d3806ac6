// The addresses that a webhook may reach. A URL that leads into the network of the deployment, to its metadata or to the
// machine itself would have the deliverer ask there in a stranger's name (server-side request forgery).
import { BlockList, isIP, isIPv4 } from "node:net";

/** The special-purpose IPv4 blocks (IANA's registry, RFC 6890), multicast and what is reserved. */
const NOT_PUBLIC: readonly [network: string, prefix: number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];
/** IPv6 has public addresses among its global unicast ones alone, and not those that stand for IPv4 ones or for documents. */
const GLOBAL_UNICAST: [string, number] = ["2000::", 3];
const NOT_GLOBAL: readonly [network: string, prefix: number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const refused = new BlockList();
for (const [network, prefix] of NOT_PUBLIC) refused.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of NOT_GLOBAL) refused.addSubnet(network, prefix, "ipv6");
const global = new BlockList();
global.addSubnet(...GLOBAL_UNICAST, "ipv6");
const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** True of an address under which anybody on the internet could be reached. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refused.check(address, "ipv4");
  return isIP(address) === 6 && global.check(address, "ipv6") && !refused.check(address, "ipv6");
}

export const isLoopbackAddress = (address: string): boolean =>
  isIP(address) !== 0 && loopback.check(address, isIPv4(address) ? "ipv4" : "ipv6");

/** The host of a URL without the brackets around an IPv6 address. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

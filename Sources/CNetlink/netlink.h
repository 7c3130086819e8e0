#include <netlink/genl/genl.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

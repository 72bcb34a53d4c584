-- MySQL dump 10.13
/*!40101 SET NAMES utf8mb4 */;
CREATE TABLE `users` (
  `id` int NOT NULL,
  `user` varchar(40) DEFAULT NULL,
  `offering` varchar(40),
  `group` varchar(40),
  `assigned_at` datetime,
  `country` varchar(2)
) ENGINE=InnoDB;
INSERT INTO `users` VALUES (1,'user-1','test','control','2023-10-01 00:00:00','DE'),(2,'user-2','test','b','2023-10-02 00:00:00',NULL);
INSERT INTO `users` VALUES (3,'user-3','test','control','2023-10-01 00:00:00','D\'E'),(4,'us\\er-4','test','b','2023-10-02 00:00:00',''),(5,_binary 'user-5','test','b',0x32,'x');
